// Opens pages of `pi-repair verify --report` in headless Chromium, wide and narrow, light and dark, and fails
// on the first thing a reader would stumble over. `SHOTS=FOLDER` keeps pictures; `CHROMIUM` names the browser.
import { mkdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const CONTRAST_MIN = 4.5;
const TIME_MS = 120_000;
const TRIES = 3;
const FLAGS = [
	"--headless",
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];
const LOOKS = [1280, 400].flatMap((width) => ["light", "dark"].map((scheme) => ({ width, scheme })));

/** Runs in the page: what overflows, what is hard to read, what is not said to those who do not see. */
function flaws(contrastMin) {
	const found = [];
	const root = document.documentElement;
	if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} pixels wide of ${root.clientWidth}`);
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
	const rgba = (color) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
		return [red, green, blue, alpha / 255];
	};
	const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3])).concat(1);
	const luminance = (color) => {
		const [red, green, blue] = color.slice(0, 3).map((part) => {
			const share = part / 255;
			return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const ground = (element) => {
		const layers = [];
		for (let at = element; at; at = at.parentElement) {
			const layer = rgba(getComputedStyle(at).backgroundColor);
			layers.push(layer);
			if (layer[3] === 1) break;
		}
		return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
	};
	const path = (element) => {
		const classes = [...element.classList].map((name) => `.${name}`).join("");
		return `${element.tagName.toLowerCase()}${classes}`;
	};
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let texts = 0;
	while (walker.nextNode()) {
		const element = walker.currentNode.parentElement;
		if (!walker.currentNode.textContent.trim() || !element.checkVisibility()) continue;
		texts += 1;
		const behind = ground(element);
		const front = over(rgba(getComputedStyle(element).color), behind);
		const [light, dark] = [luminance(front), luminance(behind)].sort((one, two) => two - one);
		const contrast = (light + 0.05) / (dark + 0.05);
		if (contrast < contrastMin) {
			found.push(`${path(element)} "${walker.currentNode.textContent.trim().slice(0, 30)}" has contrast ${contrast.toFixed(2)}`);
		}
	}
	if (texts < 100) found.push(`only ${texts} pieces of text are visible`);
	for (const element of document.querySelectorAll("body *")) {
		const scrolls = ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
		if (scrolls && element.scrollWidth > element.clientWidth && element.tabIndex < 0) {
			found.push(`${path(element)} scrolls, but not by keyboard`);
		}
		if (element.id && document.querySelectorAll(`[id="${element.id}"]`).length > 1) found.push(`#${element.id} stands twice`);
	}
	for (const table of document.querySelectorAll("table")) {
		if (!table.caption?.textContent.trim()) found.push("a table has no caption");
		for (const head of table.querySelectorAll("th:not([scope])")) found.push(`${path(head)} has no scope`);
		const widths = new Set([...table.rows].map((row) => row.cells.length));
		if (widths.size > 1) found.push(`the rows of "${table.caption?.textContent}" differ in length`);
	}
	for (const region of document.querySelectorAll("[aria-labelledby]")) {
		if (!document.getElementById(region.getAttribute("aria-labelledby"))) found.push(`${path(region)} has no label`);
	}
	const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((heading) => Number(heading.tagName[1]));
	if (levels[0] !== 1 || levels.filter((level) => level === 1).length !== 1) found.push(`headings begin ${levels}`);
	levels.forEach((level, at) => {
		if (at > 0 && level > levels[at - 1] + 1) found.push(`heading ${at} skips a level`);
	});
	for (const link of document.querySelectorAll('a[href^="#"]')) {
		if (!document.querySelector(link.getAttribute("href"))) found.push(`${link.getAttribute("href")} leads nowhere`);
	}
	if (document.scripts.length) found.push("the page holds a script");
	return found;
}

/** Presses Tab until the page is left; whatever can be worked must have been reached, and be seen to be. */
async function byKeyboard(page) {
	const wanted = await page.evaluate(() => {
		const controls = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")];
		controls.forEach((control, at) => control.setAttribute("data-at", at));
		return controls.filter((control) => control.checkVisibility()).map((control) => control.getAttribute("data-at"));
	});
	const found = [];
	await page.evaluate(() => {
		document.activeElement?.blur();
		globalThis.met = [];
		document.addEventListener("focusin", ({ target }) => {
			const style = getComputedStyle(target);
			const seen = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
			globalThis.met.push({ at: target.getAttribute("data-at"), seen });
		});
	});
	for (let presses = 0; presses < wanted.length + 3; presses += 1) await page.keyboard.press("Tab");
	const met = await page.evaluate(() => globalThis.met);
	for (const { at, seen } of met) {
		if (!seen) found.push(`control ${at} does not show that it has the focus`);
	}
	const reached = new Set(met.map(({ at }) => at));
	const missing = new Set(wanted.filter((at) => !reached.has(at)));
	for (const at of missing) {
		const text = await page.locator(`[data-at="${at}"]`).evaluate((control) => control.outerHTML.slice(0, 80));
		found.push(`not reached by Tab: ${text}`);
	}
	return { found, reached: wanted.length - missing.size };
}

async function look(browser, file, { width, scheme }) {
	const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, reducedMotion: "reduce" });
	const page = await context.newPage();
	const found = [];
	page.on("request", (request) => {
		const url = request.url();
		if (url !== pathToFileURL(file).href && !url.startsWith("data:")) found.push(`the page asks for ${url}`);
	});
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) found.push(`console: ${message.text()}`);
	});
	page.on("pageerror", (error) => found.push(`error: ${error.message}`));
	await page.goto(pathToFileURL(file).href);
	const shoot = async (name) => {
		if (!process.env.SHOTS) return;
		mkdirSync(process.env.SHOTS, { recursive: true });
		await page.screenshot({ fullPage: true, path: `${process.env.SHOTS}/${basename(file, ".html")}-${width}-${scheme}${name}.png` });
	};
	await shoot("");
	found.push(...(await page.evaluate(flaws, CONTRAST_MIN)));
	const closed = await byKeyboard(page);
	found.push(...closed.found);
	await page.evaluate(() => {
		for (const details of document.querySelectorAll("details")) details.open = true;
	});
	found.push(...(await page.evaluate(flaws, CONTRAST_MIN)).map((flaw) => `opened: ${flaw}`));
	const opened = await byKeyboard(page);
	found.push(...opened.found.map((flaw) => `opened: ${flaw}`));
	await shoot("-opened");
	await context.close();
	console.log(`${basename(file)} at ${width} pixels, ${scheme}: ${closed.reached} and ${opened.reached} controls by keyboard, ${found.length} flaws`);
	return found;
}

/** Looks within the time a browser may take; one that stalls is ended, and another is tried. */
async function lookWithin(file, at) {
	for (let tries = TRIES; ; tries -= 1) {
		const browser = await chromium.launch({ executablePath, args: FLAGS, timeout: TIME_MS });
		let timer;
		const late = new Promise((_, reject) => {
			timer = setTimeout(() => reject(new Error(`the browser did not answer within ${TIME_MS / 1000} seconds`)), TIME_MS);
		});
		try {
			return await Promise.race([look(browser, file, at), late]);
		} catch (error) {
			if (tries <= 1) return [`${basename(file)} at ${at.width} pixels, ${at.scheme}: ${error.message}`];
			console.error(`${error.message.split("\n")[0]}; once more`);
		} finally {
			clearTimeout(timer);
			await Promise.race([browser.close().catch(() => {}), new Promise((done) => setTimeout(done, 5000))]);
		}
	}
}

const files = process.argv.slice(2).map((file) => resolve(file));
if (files.length === 0) throw new Error("give the pages to look at");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
let faults = 0;
for (const file of files) {
	for (const at of LOOKS) {
		const found = await lookWithin(file, at);
		faults += found.length;
		for (const flaw of [...new Set(found)].slice(0, 20)) console.error(`  ${flaw}`);
	}
}
// A browser that stalled may keep its pipes open; nothing is left to wait for.
process.exit(faults === 0 ? 0 : 1);
