// The border between JavaScript values and the engine's JSON: what crosses it, and what must not.

/** Texts longer than this are left to the host: no model sends that much, and copies of it cost memory. */
const TEXT_MAX = 64 * 1024 * 1024;

/** The value as JSON text; undefined for what has none, such as a cycle, a BigInt or a getter that throws. */
export function toText(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined || text.length > TEXT_MAX ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Texts longer than this are left out of an outline. */
const LONG = 200;

/** How deep long texts are looked for. */
const LEVELS = 4;

/**
 * The value as JSON text in which of every long text only its length is said; undefined where there is none, or
 * no JSON. What passes whatever its long texts say need not be copied over the border.
 */
export function toOutline(value: unknown): string | undefined {
  try {
    return hasLong(value, LEVELS) ? JSON.stringify(value, shortened) : undefined;
  } catch {
    return undefined;
  }
}

const isLong = (value: unknown): boolean => typeof value === "string" && value.length > LONG;
/** U+0000 alone is any text at all, with a number behind it any of that length; one that begins so is any text. */
function shortened(_key: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (isLong(value)) return `\0${value.length}`;
  return value.startsWith("\0") ? "\0" : value;
}

function hasLong(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return isLong(value);
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.some((item) => hasLong(item, levels - 1));
  for (const key in value) {
    if (hasLong((value as Record<string, unknown>)[key], levels - 1)) return true;
  }
  return false;
}

/**
 * Whether `text`, made of `value`, says all that the value says. Members that are undefined count as
 * absent, which is what they are to a host; everything else that JSON cannot hold is a difference.
 */
export function isFaithful(value: unknown, text: string): boolean {
  const open: [unknown, unknown][] = [[value, JSON.parse(text)]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [original, copy] = pair;
    if (typeof original !== "object" || original === null) {
      if (!Object.is(original, copy)) return false;
    } else if (Array.isArray(original)) {
      if (!Array.isArray(copy) || copy.length !== original.length) return false;
      if (Reflect.ownKeys(original).length !== original.length + 1) return false;
      for (let at = 0; at < original.length; at += 1) open.push([original[at], copy[at]]);
    } else {
      if (!openMembers(original, copy, open)) return false;
    }
  }
  return true;
}

/** The value as JSON text that says all of it; undefined where there is none, or reading the value throws. */
export function faithfulText(value: unknown): string | undefined {
  try {
    const text = toText(value);
    return text !== undefined && isFaithful(value, text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function openMembers(original: object, copy: unknown, open: [unknown, unknown][]): boolean {
  const prototype = Object.getPrototypeOf(original);
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!plain || typeof copy !== "object" || copy === null || Array.isArray(copy)) return false;
  const said = copy as Record<string, unknown>;
  let count = 0;
  for (const key of Reflect.ownKeys(original)) {
    const member = Object.getOwnPropertyDescriptor(original, key);
    if (typeof key === "symbol" || member === undefined || !("value" in member) || !member.enumerable) return false;
    if (member.value === undefined) continue;
    if (!Object.hasOwn(said, key)) return false;
    count += 1;
    open.push([member.value, said[key]]);
  }
  return count === Object.keys(said).length;
}

/** Half a surrogate pair as JSON text spells it: it writes no other escape that begins with `\\ud`. */
const LONE = /(?<!\\)((?:\\\\)*)\\u([dD][89a-fA-F][0-9a-fA-F]{2})/g;

/** JSON text with every lone half of a surrogate pair replaced; they are the only such escapes in it. */
export function withoutLoneSurrogates(text: string): string {
  return text.includes("\\u") ? text.replace(LONE, "$1\\ufffd") : text;
}

/** What the engine only looks at, as JSON text that it can read: each lone half is U+FFFD, one unit as before. */
export const lookedAt = (value: unknown): string => withoutLoneSurrogates(JSON.stringify(value));

/** JSON text that may stand inside a text: its lone halves are themselves, not escapes of them. */
export function withRawHalves(json: string): string {
  return json.replace(LONE, (_all, before: string, half: string) => before + String.fromCharCode(Number.parseInt(half, 16)));
}

/** JSON text as the engine is given it, and its answer as it was meant. */
export interface Loan {
  text: string;
  back(answer: string): string;
}

/** Where the characters begin that stand in for lone halves: blocks of the private use area, and their escapes. */
const BLOCKS: [number, RegExp][] = [
  [0xe000, /[\ue000-\ue7ff]|\\u[eE][0-7]/],
  [0xe800, /[\ue800-\uefff]|\\u[eE][89a-fA-F]/],
  [0xf000, /[\uf000-\uf7ff]|\\u[fF][0-7]/],
];

/**
 * The value as JSON text in which every lone half of a surrogate pair is a character that stands nowhere else
 * in it, so that what the engine leaves in its answer can be given back byte for byte. Undefined where no
 * character is free: such a value is left alone.
 */
export function lend(value: unknown): Loan | undefined {
  const json = JSON.stringify(value);
  if (withoutLoneSurrogates(json) === json) return { text: json, back: (answer) => answer };
  const free = json.includes("&#") ? undefined : BLOCKS.find(([, taken]) => !taken.test(json));
  if (free === undefined) return undefined;
  const [start, taken] = free;
  const shift = start - 0xd800;
  const standIn = (_all: string, before: string, half: string) => before + String.fromCharCode(Number.parseInt(half, 16) + shift);
  const stood = new RegExp(taken.source.slice(0, taken.source.indexOf("|")), "g");
  const half = (sign: string) => `\\u${(sign.charCodeAt(0) - shift).toString(16)}`;
  return { text: json.replace(LONE, standIn), back: (answer) => answer.replace(stood, half) };
}
