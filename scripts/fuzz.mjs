// Writes seeds for the two fuzz targets whose input is a part of an artifact (`scripts/fuzz`). For `abi`, that is an
// interface and data; for `source_maps`, a source map and code. Each compiled contract gives one seed for each target.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";

const MOST = 100;

function* artifacts(directory) {
    let entries;
    try {
        entries = readdirSync(directory, { recursive: true });
    } catch {
        return;
    }
    for (const entry of entries.filter((entry) => entry.endsWith(".json"))) {
        const file = `${directory}/${entry}`;
        if (statSync(file).size > 1 << 18) continue;
        const artifact = JSON.parse(readFileSync(file, "utf8"));
        if (Array.isArray(artifact.abi) && artifact.deployedBytecode?.object?.length > 2) yield artifact;
    }
}

function seed(target, ...parts) {
    const data = Buffer.concat(parts.flatMap((part, index) => (index ? [Buffer.from([0]), part] : [part])));
    mkdirSync(`fuzz/corpus/${target}`, { recursive: true });
    writeFileSync(`fuzz/corpus/${target}/seed-${createHash("sha1").update(data).digest("hex")}`, data);
}

let count = 0;
const PLACES = ["testdata/out", "testdata/demo/out", "target/tmp/fixtures-0/testdata/out"];

for (const { abi, deployedBytecode } of PLACES.flatMap((place) => [...artifacts(place)])) {
    if (count++ === MOST) break;
    seed("abi", Buffer.from(JSON.stringify(abi)), Buffer.alloc(96, 7));
    const code = Buffer.from(deployedBytecode.object.replace(/^0x/, "").replace(/[^0-9a-f]/gi, "0"), "hex");
    seed("source_maps", Buffer.from(deployedBytecode.sourceMap ?? ""), code.subarray(0, 4096));
}
