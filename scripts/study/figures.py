"""SVG figures that are the same for the same data."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "study", "font.size": 9})


def save(figure, file):
    """Writes a figure without its date, and without spaces at the ends of lines."""
    figure.savefig(file, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    text = file.read_text()
    file.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
