{
  description = "Fuzzer for the invariants and fuzz tests of Foundry projects";

  # The compiler has to be Rust 1.95 or newer.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      forEach = function: lib.genAttrs systems (system: function nixpkgs.legacyPackages.${system});
      manifest = (lib.importTOML ./Cargo.toml).package;

      build =
        pkgs:
        pkgs.rustPlatform.buildRustPackage {
          pname = manifest.name;
          inherit (manifest) version;
          src = lib.fileset.toSource {
            root = ./.;
            fileset = lib.fileset.unions [
              ./Cargo.lock
              ./Cargo.toml
              ./benches
              ./src
            ];
          };
          cargoLock.lockFile = ./Cargo.lock;
          # The tests need npm packages and the network.
          doCheck = false;

          nativeBuildInputs = [
            pkgs.installShellFiles
            pkgs.makeWrapper
          ];
          postInstall = lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
            for shell in bash zsh fish; do
              $out/bin/forge-harvey completions $shell > completion.$shell
            done
            installShellCompletion --cmd forge-harvey \
              --bash completion.bash --zsh completion.zsh --fish completion.fish
            $out/bin/forge-harvey man > forge-harvey.1
            installManPage forge-harvey.1
          '';
          # If no fitting solc is installed, Node runs compilers from npm. The Node on the user's PATH comes first.
          postFixup = ''
            wrapProgram $out/bin/forge-harvey --suffix PATH : ${lib.makeBinPath [ pkgs.nodejs ]}
          '';

          meta = {
            inherit (manifest) description;
            license = [
              lib.licenses.mit
              lib.licenses.asl20
            ];
            mainProgram = "forge-harvey";
            platforms = systems;
          };
        };
    in
    {
      packages = forEach (pkgs: {
        default = build pkgs;
      });

      apps = forEach (pkgs: {
        default = {
          type = "app";
          program = lib.getExe self.packages.${pkgs.stdenv.hostPlatform.system}.default;
          meta.description = manifest.description;
        };
      });

      # The tools with which the program is built and its tests run.
      devShells = forEach (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.cargo
            pkgs.clippy
            pkgs.nodejs
            pkgs.python3
            pkgs.rust-analyzer
            pkgs.rustc
            pkgs.rustfmt
          ]
          ++ lib.optionals pkgs.stdenv.hostPlatform.isLinux [
            pkgs.chromium
            pkgs.valgrind
          ];
        };
      });
    };
}
