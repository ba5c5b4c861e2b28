// Scripts of the corpus in the real pi with the packed package: what executed, what the model saw and the
// transcript are the simulator's. `node test/play.mjs` plays all of them and prints a table.

import assert from "node:assert/strict";
import { it } from "node:test";
import { releases } from "./pi.mjs";
import { playAll } from "./play.mjs";
import { hasRust } from "./rust.mjs";

/** Every malformed kind; `PLAY=*` plays all scripts. */
const names = (process.env.PLAY ?? "chaos-*").split(/[\s,]+/).filter(Boolean);

for (const release of releases) {
  it(`pi ${release} does what the simulator says`, { skip: !hasRust && "the simulator needs Rust", timeout: 900_000 }, async (t) => {
    const { rows, skipped } = await playAll(release, names.includes("*") ? [] : names);
    const parted = rows.filter((row) => !row.same).map((row) => `${row.name}: ${row.why}`);
    assert.equal(parted.length, 0, parted.join("\n\n"));
    assert.ok(rows.length > 10, `only ${rows.length} scripts`);
    t.diagnostic(`${rows.length} scripts, ${skipped.length} not playable`);
  });
}
