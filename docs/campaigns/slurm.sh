#!/usr/bin/env bash
# An array of eight tasks on one corpus in a shared directory. What they found:
#   sbatch --dependency=afterany:JOB --wrap "forge-harvey test --offline --runs 1 --corpus $SHARED --report html=report.html"
#SBATCH --job-name=harvey
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=08:30:00
#SBATCH --requeue
set -euo pipefail

: "${SHARED:=$HOME/harvey-corpus}"
cd "${SLURM_SUBMIT_DIR:?}"
exec forge-harvey test --offline --allow-failure --show-progress \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --timeout 28800 --budget 28800 \
    --corpus "$SHARED" --partition "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
