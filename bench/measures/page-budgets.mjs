import pg from 'pg';
import { openBrowser, openSlowPage, timePage } from '../kit/page-timings.mjs';
import { median } from '../kit/statistics.mjs';

const operation = 'cri-shopping-serra-azul';
/** Openings of each page; the median counts. */
const openings = 5;

/** The pages of (q), the milliseconds for which each may block its reader, and whether its reader is logged in. */
const pages = [
  { name: 'home', path: '/', blocked: 200 },
  { name: 'list of operations', path: '/emissoes', blocked: 200 },
  { name: 'an operation', path: `/emissoes/${operation}`, blocked: 200 },
  { name: 'log-in of the panel', path: '/painel/entrar', blocked: 600 },
  { name: "the panel's API keys", path: '/painel/desenvolvedor/chaves', blocked: 600, loggedIn: true },
];

/** (q) Opens pages as a phone with a slow processor and network does, and the panel until it takes what is typed. */
export async function measureBudgets({ url: address }, { account, databaseUrl }) {
  const browser = await openBrowser();
  if (browser === undefined) return [];
  // Browsers keep the cookie of a log-in without TLS for this name alone.
  const url = `http://localhost:${new URL(address).port}`;
  try {
    await unlinkOriginators(databaseUrl);
    const storageState = await logIn(browser, url, account);
    const rows = [];
    for (const page of pages) rows.push(...(await measurePage(browser, url, page, storageState)));
    return [...rows, ...(await measureFirstKey(browser, url))];
  } finally {
    await browser.close();
  }
}

async function measurePage(browser, url, { name, path, blocked, loggedIn = false }, storageState) {
  const taken = [];
  for (let at = 0; at < openings; at += 1)
    taken.push(await timePage(browser, `${url}${path}`, loggedIn ? { storageState } : {}));
  const of = (read) => median(taken.map(read));
  const kB = (type) => (of(({ bytes }) => bytes[type]) / 1_000).toFixed(1);
  return [
    {
      name: `(q) ${name}: largest contentful paint; HTML ${kB('Document')}, CSS ${kB('Stylesheet')}, script ${kB('Script')} kB as sent`,
      value: of(({ largest }) => largest),
      unit: 'ms',
      digits: 0,
      below: 2_500,
    },
    { name: '(q) its layout shift', value: of(({ shift }) => shift), unit: '', digits: 3, below: 0.1 },
    { name: '(q) its total blocking time', value: of((one) => one.blocked), unit: 'ms', digits: 0, below: blocked },
  ];
}

/** Opens the log-in with an empty cache and the slow processor, until a field takes what is typed. */
async function measureFirstKey(browser, url) {
  const taken = [];
  let script = 0;
  for (let at = 0; at < openings; at += 1) {
    const { context, page, bytes } = await openSlowPage(browser);
    const begun = performance.now();
    await page.goto(`${url}/painel/entrar`, { waitUntil: 'commit' });
    await page.locator('[name=email]').pressSequentially('a');
    taken.push(performance.now() - begun);
    await page.waitForLoadState('networkidle');
    script = bytes.Script / 1_000;
    await context.close();
  }
  return [
    {
      name: '(q) the panel: from its address to the first key typed, processor 4 × slower',
      value: median(taken),
      unit: 'ms',
      digits: 0,
      below: 1_500,
    },
    { name: '(q) its script until then, as sent', value: script, unit: 'kB', digits: 0, below: 170 },
  ];
}

/** Whoever is linked with an originator would have to add a second factor first. */
async function unlinkOriginators(databaseUrl) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('UPDATE credit_assignment.originators SET account_id = NULL, account_may_send = false');
  await client.end();
}

/** Logs in. @returns the cookies of the session */
async function logIn(browser, url, { email, password }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/painel/entrar`);
  await page.fill('[name=email]', email);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.waitForURL((address) => !address.pathname.endsWith('/entrar'));
  await page.locator('h1').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}
