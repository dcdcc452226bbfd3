# One big machine, PowerShell 7: every entry of a folder of captures is a part of its own, some at a time.
#
# usage: facts.ps1 CAPTURES OUT [-Jobs N] [-Toolcost PROGRAM] [-More @('--counter', 'chars')]
#
# OUT gets request_tools-<part>.ndjson, requests-<part>.ndjson and report-<part>.json. A session must lie whole in one entry.
param(
    [Parameter(Mandatory)] [string] $Captures,
    [Parameter(Mandatory)] [string] $Out,
    [int] $Jobs = 2,
    [string] $Toolcost = 'toolcost',
    [string[]] $More = @()
)
$ErrorActionPreference = 'Stop'
New-Item -ItemType Directory -Force $Out | Out-Null
$failed = Get-ChildItem $Captures | ForEach-Object -ThrottleLimit $Jobs -Parallel {
    $program, $folder, $flags = $using:Toolcost, $using:Out, $using:More
    $name = $_.Name
    $run = "$name=$($_.FullName)"
    foreach ($table in 'request_tools', 'requests') {
        # -o and no pipe: PowerShell would re-encode what goes through it.
        & $program facts --run $run --table $table --jobs 1 @flags -o (Join-Path $folder "$table-$name.ndjson")
        if ($LASTEXITCODE -ne 0) { "$table of $name" }
    }
    & $program report --run $run --jobs 1 -q @flags -f json -o (Join-Path $folder "report-$name.json")
    if ($LASTEXITCODE -ne 0) { "report of $name" }
}
if ($failed) { throw "failed: $($failed -join ', ')" }
