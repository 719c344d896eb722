// What a page can do besides being read: tables sorted by a click, and a board that follows the moves. Without this file
// every page still says everything.
"use strict";

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("n") ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const key = (row) => {
        const cell = row.cells[index];
        return "n" in cell.dataset ? (cell.dataset.n === "" ? null : Number(cell.dataset.n)) : cell.textContent.trim() || null;
      };
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => [key(row), row]);
      rows.sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null); // unknown comes last either way
        return sign * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
}

const MEN = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const SVG = "http://www.w3.org/2000/svg";
const SQUARE = 45;
const EDGE = 18;

function board(figure) {
  const svg = figure.querySelector("svg");
  const caption = figure.querySelector("figcaption");
  const placed = svg.querySelector(".placed");
  const last = svg.querySelector(".last");
  const names = [...svg.querySelectorAll(".names text")].map((text) => text.textContent);
  const moves = [...document.querySelectorAll(".move[data-place]")];
  const main = moves.filter((move) => move.id.startsWith("m0-"));
  if (!moves.length) return;
  let current = main[main.length - 1] || moves[moves.length - 1];
  let isTurned = false;

  const put = (element, file, row, attributes) => {
    const node = document.createElementNS(SVG, element);
    node.setAttribute("x", EDGE + SQUARE * (isTurned ? 7 - file : file));
    node.setAttribute("y", EDGE + SQUARE * (isTurned ? 7 - row : row));
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const draw = () => {
    const place = current ? current.dataset.place : figure.dataset.start;
    const squares = current ? current.dataset.squares : "";
    const says = current ? `The position after ${current.dataset.says}` : "The position at the start";
    placed.replaceChildren();
    place.split("/").forEach((line, row) => {
      let file = 0;
      for (const sign of line) {
        if (sign >= "1" && sign <= "8") file += Number(sign);
        else {
          const side = sign === sign.toUpperCase() ? "white" : "black";
          placed.append(put("use", file, row, { href: `#${side}-${MEN[sign.toLowerCase()]}` }));
          file += 1;
        }
      }
    });
    last.replaceChildren();
    for (let at = 0; at + 1 < squares.length; at += 2) {
      const file = squares.charCodeAt(at) - 97;
      const row = 8 - Number(squares[at + 1]);
      last.append(put("rect", file, row, { width: SQUARE, height: SQUARE }));
    }
    svg.setAttribute("aria-label", says);
    caption.textContent = says;
    moves.forEach((move) => move.classList.toggle("current", move === current));
  };
  // The moves of the line of a move: its variation, which begins where its parent had come to.
  const line = (move) => moves.filter((one) => one.id.split("-")[0] === (move ? move.id.split("-")[0] : "m0"));
  const go = (step) => {
    const its = line(current);
    const at = its.indexOf(current);
    if (step === "first") current = null;
    else if (step === "last") current = its[its.length - 1];
    else if (step > 0) current = its[at + 1] || current;
    else if (at > 0) current = its[at - 1];
    else current = current && !current.id.startsWith("m0-") ? before(current) : null;
    draw();
  };
  const before = (move) => {
    const ply = Number(move.id.split("-")[1]);
    return main.filter((one) => Number(one.id.split("-")[1]) < ply).pop() || null;
  };
  const turn = () => {
    isTurned = !isTurned;
    svg.querySelectorAll(".names text").forEach((text, i) => {
      const from = i < 8 ? 7 - i : 23 - i;
      text.textContent = isTurned ? names[from] : names[i];
    });
    draw();
  };
  const controls = document.createElement("div");
  controls.className = "controls";
  for (const [sign, label, act] of [
    ["|◀", "To the start", () => go("first")],
    ["◀", "One move back", () => go(-1)],
    ["▶", "One move on", () => go(1)],
    ["▶|", "To the end", () => go("last")],
    ["⇅", "Turn the board", turn],
  ]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", label);
    button.title = label;
    button.addEventListener("click", act);
    controls.append(button);
  }
  figure.append(controls);
  moves.forEach((move) =>
    move.addEventListener("click", (event) => {
      event.preventDefault();
      history.replaceState(null, "", `#${move.id}`);
      current = move;
      draw();
    }),
  );
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("pre, .scroll")) return;
    if (event.key === "ArrowLeft") go(-1);
    else if (event.key === "ArrowRight") go(1);
    else return;
    event.preventDefault();
  });
  const named = moves.find((move) => `#${move.id}` === location.hash);
  if (named) current = named;
  draw();
}

document.querySelectorAll("table.sortable").forEach(sortable);
document.querySelectorAll("#board").forEach(board);
