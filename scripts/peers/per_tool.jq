# jq and jaq: bytes by tool, and references in content blocks. Run with -n: one value is held at a time.
reduce inputs as $body ({tools: {}, references: 0};
  reduce ($body.tools[]? | {name, size: (tojson | utf8bytelength)}) as $tool
    (.; .tools[$tool.name] += $tool.size)
  | .references += ([$body.messages[].content | arrays | .. | objects | select(.type == "tool_reference")] | length))
