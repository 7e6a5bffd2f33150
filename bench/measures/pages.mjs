import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { interleave } from '../kit/load.mjs';
import { median } from '../kit/statistics.mjs';
import { compare } from './compare.mjs';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const operation = 'cri-shopping-serra-azul';
/** Addresses that are asked for one after the other: more than pages are kept, so that none of them is. */
const addresses = 700;
/** Openings of the panel; the median counts. */
const openings = 7;

/** (q) Compares the page of an operation with the REST response of the same operation, and measures the page when it is kept, and the panel in a slow browser. */
export async function measurePages({ platform, entry, timing }) {
  const page = `${platform.url}/emissoes/${operation}`;
  const day = (at) => new Date(Date.UTC(2024, 5, 1 + at)).toISOString().slice(0, 10);
  const get = (url, headers = {}) => ({ url, method: 'GET', headers });
  const sides = [
    Array.from({ length: addresses }, (_, at) => get(`${page}?from=${day(at)}`)),
    [get(`${platform.url}/v1/emissoes/operacoes/${operation}`, { 'x-api-key': entry.apiKey })],
    [get(page)],
  ].map((requests) => ({ requests, pids: platform.pids }));
  const [pages, answers, kept] = await interleave(sides, timing);
  return {
    compared: [compare('(q) the page of an operation, not kept ÷ its REST response', pages, answers, 0.5)],
    measured: [
      {
        name: '(q) the page of an operation, kept',
        value: median(kept.map(({ perSecond }) => perSecond)),
        unit: '/s',
        digits: 0,
        above: 5_000,
      },
      ...(await measurePanel(platform.url)),
    ],
  };
}

/** Opens the log-in of the panel with an empty cache and a processor that is four times slower, until a field takes what is typed. */
async function measurePanel(url) {
  if (!existsSync(executablePath)) {
    process.stderr.write(`The panel is not measured: there is no Chromium at ${executablePath}\n`);
    return [];
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const taken = [];
    let scriptBytes = 0;
    for (let at = 0; at < openings; at += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      const scripts = new Set();
      scriptBytes = 0;
      devtools.on('Network.responseReceived', ({ requestId, type }) => {
        if (type === 'Script') scripts.add(requestId);
      });
      devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (scripts.has(requestId)) scriptBytes += encodedDataLength;
      });
      const begun = performance.now();
      await page.goto(`${url}/painel/entrar`, { waitUntil: 'commit' });
      await page.locator('[name=email]').pressSequentially('a');
      taken.push(performance.now() - begun);
      await page.waitForLoadState('networkidle');
      await context.close();
    }
    return [
      {
        name: '(q) the panel: from its address to the first key typed, processor 4 × slower: median',
        value: median(taken),
        unit: 'ms',
        digits: 0,
        below: 1_500,
      },
      { name: '(q) its script until then, as sent', value: scriptBytes / 1_000, unit: 'kB', digits: 0, below: 170 },
    ];
  } finally {
    await browser.close();
  }
}
