# Shared by the scripts; source it.

say() { printf '%s\n' "== $*" >&2; }

# die MESSAGE [WHAT TO DO]
die() {
    printf '%s\n' "error: $1" >&2
    [ $# -lt 2 ] || printf '%s\n' "       $2" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }
