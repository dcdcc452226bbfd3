// node: bytes by tool, and references in content blocks. Argument: the folder of bodies.
const { readdirSync, readFileSync } = require("fs");
const { join } = require("path");

const tools = {};
let references = 0;

function blocks(content) {
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (block.type === "tool_reference") references += 1;
    blocks(block.content);
  }
}

function walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      walk(path);
    } else {
      const body = JSON.parse(readFileSync(path, "utf8"));
      for (const tool of body.tools ?? []) {
        tools[tool.name] = (tools[tool.name] ?? 0) + Buffer.byteLength(JSON.stringify(tool));
      }
      for (const message of body.messages) blocks(message.content);
    }
  }
}

walk(process.argv[2]);
console.log(JSON.stringify({ tools, references }));
