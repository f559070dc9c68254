// What the same access did in several warps: one line of text.
function saidOf(accesses) {
  const groups = new Map();
  for (const one of accesses) {
    const key = `${one.what} ${one.lines}`;
    const group = groups.get(key) ?? { ...one, warps: new Set(), lanes: new Set(), waves: new Set(), sectors: new Set() };
    group.warps.add(one.warp);
    for (const [lane, wave, sector] of one.of) {
      group.lanes.add(lane);
      if (wave >= 0) group.waves.add(wave);
      if (sector >= 0) group.sectors.add(sector);
    }
    groups.set(key, group);
  }
  const list = (name, all) => all.size ? `${name}${all.size > 1 ? "s" : ""} ${[...all].join(" ")}` : "";
  return [...groups.values()].map(({ what, warps, lanes, waves, sectors, lines }) => {
    const who = what === "multiplied" ? `warpgroup ${[...warps].map((warp) => warp / 4).join(" ")}`
      : [list("warp", warps), list("lane", lanes)].filter(Boolean).join(" ");
    const from = sectors.size ? `from ${list("sector", sectors)} of the operand` : "";
    return [`${what} by ${who}`, list("wavefront", waves), from, `line ${lines[0]}`].filter(Boolean).join(", ");
  });
}

// The accesses of the cell at an address of a side's tile, each with its lanes, wavefronts and sectors.
function accessesAt(known, address) {
  const found = [];
  for (const access of known.accesses) {
    const of = [];
    for (let i = 0; i < access.at.length; i += 4)
      if (access.at[i] === address) of.push(access.at.slice(i + 1, i + 4));
    if (of.length) found.push({ ...access, of });
  }
  return found;
}

// What is known of an element: lines of text, and the source lines that access it.
function accessesOf(name, all) {
  const none = { said: [], lines: new Set() };
  let side = null, address = null, bank = "";
  if (name.startsWith("shared_tile_") && all.address !== undefined) {
    [side, address] = [name.slice(-1), Number(all.address)];
  } else if (name === "fragments" && ["A", "B"].includes(all.matrix)) {
    side = all.matrix.toLowerCase();
    address = links[side]?.atom[all.row]?.[all.column] ?? null;
  }
  const known = links[side];
  if (!known || address === null || !isPlan()) return none;
  const unit = Math.floor(address / known.unit) * known.unit;
  if (name === "fragments") bank = `of the first atom of warp 0: byte ${address} of the tile, bank ${Math.floor(address / 4) % 32}`;
  const owner = known.owners[unit];
  const accesses = accessesAt(known, unit);
  const held = owner && name !== "fragments" ? `held by ${owner}, for an atom` : bank;
  return {
    said: [held, ...saidOf(accesses)].filter(Boolean),
    lines: new Set(accesses.flatMap((one) => one.lines)),
  };
}

// Marks the elements that a source line accesses in the pictures of the plan, and says what it marks.
function markAccesses(line) {
  if (!isPlan()) return "";
  const cells = {}, threads = {};
  for (const [side, known] of Object.entries(links)) {
    [cells[side], threads[side]] = [new Set(), new Set()];
    for (const access of known.accesses.filter((one) => one.lines.includes(line)))
      for (let i = 0; i < access.at.length; i += 4) {
        cells[side].add(access.at[i]);
        if (["copied", "stored"].includes(access.what)) threads[side].add(32 * access.warp + access.at[i + 1]);
      }
  }
  const said = [];
  for (const [side, set] of Object.entries(cells)) {
    if (!set.size) continue;
    const known = links[side], of = (name) => document.querySelectorAll(`figure[data-name="${name}"] svg`);
    for (const svg of of(`shared_tile_${side}`))
      for (const shape of items.get(svg)) if (set.has(Number(shape.dataset.address))) shape.classList.add("same");
    for (const svg of of(`copies_${side}`))
      for (const shape of items.get(svg)) if (threads[side].has(Number(shape.dataset.thread))) shape.classList.add("same");
    for (const svg of of("fragments"))
      for (const shape of items.get(svg)) {
        const all = told(shape), address = all.matrix === side.toUpperCase() ? known.atom[all.row]?.[all.column] : undefined;
        if (address !== undefined && set.has(Math.floor(address / known.unit) * known.unit)) shape.classList.add("same");
      }
    said.push(`${set.size} cells of the tile of ${side.toUpperCase()}`);
  }
  return said.length ? `marked: ${said.join(", ")}` : "";
}
