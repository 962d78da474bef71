// A player's share of the chance, and the receipts that show later whether all was as promised.
// A receipt is what this browser saw first: commitments, and what was typed here. It stays.

const HEX = /^([0-9a-f]{2})+$/;
const ROLLED_BYTES = 16;

// As services/web/play.py reads it: hexadecimal digits as they are, anything else as UTF-8.
export function entropyHex(text) {
  const plain = text.trim();
  if (HEX.test(plain.toLowerCase())) return plain.toLowerCase();
  return hexOf(new TextEncoder().encode(plain));
}

const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const rolled = () => hexOf(crypto.getRandomValues(new Uint8Array(ROLLED_BYTES)));

export function dressChance(root) {
  const part = root.querySelector("[data-receipt]");
  if (!part) return;
  const seen = JSON.parse(part.dataset.receipt);
  for (const form of root.querySelectorAll("form[data-chance]")) dressForm(form, seen.match);
  showReceipt(part, seen);
}

function dressForm(form, match) {
  const field = form.elements.entropy;
  const dice = form.querySelector("[data-dice]");
  dice.hidden = false;
  dice.addEventListener("click", () => (field.value = rolled()));
  if (!field.value) field.value = rolled();
  form.addEventListener("submit", (event) => {
    const given = event.submitter?.name === "decline" ? "" : entropyHex(field.value);
    const kept = read(match) ?? {};
    write(match, { ...kept, own: { ...kept.own, [form.dataset.chance]: given } });
  });
}

const nameOf = (match) => `plybook-receipt ${match}`;

function read(match) {
  try {
    return JSON.parse(localStorage.getItem(nameOf(match)));
  } catch {
    return null;
  }
}

function write(match, receipt) {
  try {
    localStorage.setItem(nameOf(match), JSON.stringify(receipt));
  } catch {
    // Without storage there is no receipt; the match is as good as before.
  }
}

// What is kept and what is shown, where both say something and do not say the same.
export function differences(kept, seen) {
  const found = [];
  if (kept.seed_commit && kept.seed_commit !== seen.seed_commit) found.push("the commitment to the seed");
  for (const [number, commit] of Object.entries(kept.rounds ?? {})) {
    if (seen.rounds[number] !== commit) found.push(`the commitment to deal ${number}`);
  }
  const given = { ...kept.entropy, ...kept.own };
  for (const [seat, entropy] of Object.entries(given)) {
    const settled = seat in seen.entropy || seat in (kept.entropy ?? {});
    if (settled && seen.entropy[seat] !== entropy) found.push(`the entropy of seat ${seat}`);
  }
  return found;
}

function showReceipt(part, seen) {
  const kept = read(seen.match) ?? {};
  const wrong = differences(kept, seen);
  const receipt = {
    match: seen.match,
    first_seen: kept.first_seen ?? new Date().toISOString(),
    seed_commit: kept.seed_commit ?? seen.seed_commit,
    own: kept.own ?? {},
    entropy: { ...seen.entropy, ...kept.entropy },
    rounds: { ...seen.rounds, ...kept.rounds },
  };
  write(seen.match, receipt);
  say(part.querySelector("[data-receipt-says]"), wrong, kept);
  const link = part.querySelector("[data-receipt-file]");
  link.hidden = false;
  link.addEventListener("click", () => {
    link.href = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: "application/json" }));
  });
}

function say(line, wrong, kept) {
  line.hidden = false;
  line.classList.toggle("bad", wrong.length > 0);
  if (wrong.length) line.textContent = `✕ This is not what this browser saw before: ${wrong.join(", ")}.`;
  else if (kept.seed_commit) line.textContent = "✓ All agrees with the receipt this browser keeps.";
  else line.textContent = "This browser keeps a receipt from now on.";
}
