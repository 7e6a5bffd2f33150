import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** How much slower than this machine's the processor of the browser is, and its network: those of Lighthouse for phones. */
const slower = 4;
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const phone = { viewport: { width: 412, height: 823 } };

/** For how long a page is watched after its last response: what is rendered late counts as well. */
const watchedMs = 1_000;

/** A task of more than this blocks the page for the rest of it. */
const allowedMs = 50;

/** Opens a browser, or says why there is none. */
export async function openBrowser() {
  if (existsSync(executablePath)) return chromium.launch({ executablePath, args: ['--no-sandbox'] });
  process.stderr.write(`The pages are not opened: there is no Chromium at ${executablePath}\n`);
  return undefined;
}

/** Opens a tab with an empty cache and the slow processor, and counts the bytes that come, by type and as sent. */
export async function openSlowPage(browser, options = {}) {
  const context = await browser.newContext({ ...phone, ...options });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  const types = new Map();
  const bytes = { Document: 0, Stylesheet: 0, Script: 0 };
  devtools.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    if (type in bytes) bytes[type] += encodedDataLength;
  });
  return { context, page, devtools, bytes };
}

/**
 * Opens an address as a phone does on a slow network, until its heading is there and nothing more comes.
 * @returns the largest contentful paint in milliseconds, the layout shift, the total blocking time in milliseconds, and the bytes by type
 */
export async function timePage(browser, url, options) {
  const { context, page, devtools, bytes } = await openSlowPage(browser, options);
  await devtools.send('Network.emulateNetworkConditions', network);
  await page.addInitScript(observe);
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(watchedMs);
  const { paint, largest, shift, tasks } = await page.evaluate('globalThis.observed');
  await context.close();
  const blocked = tasks
    .filter(({ end }) => end > paint)
    .reduce((sum, { start, end }) => sum + Math.max(0, end - Math.max(start, paint) - allowedMs), 0);
  return { largest, shift, blocked, bytes };
}

/** Runs in the page, before its own scripts. */
function observe() {
  const observed = { paint: 0, largest: 0, shift: 0, tasks: [] };
  globalThis.observed = observed;
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') observed.paint = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => {
    observed.largest = startTime;
  });
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) observed.shift += value;
  });
  watch('longtask', ({ startTime, duration }) => {
    observed.tasks.push({ start: startTime, end: startTime + duration });
  });
}
