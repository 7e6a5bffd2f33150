import { createLocalBus } from '../../dist/shared/bus.js';
import { systemClock } from '../../dist/shared/clock.js';
import { createContext } from '../../dist/shared/context.js';
import { findEmbedded } from '../../dist/shared/database/embedded.js';
import { openDatabase } from '../../dist/shared/database/database.js';
import { inTransaction } from '../../dist/shared/database/transaction.js';
import { cpfCheckDigits } from '../../dist/shared/tax-id.js';
import { newId } from '../../dist/shared/ids.js';
import { createLog } from '../../dist/shared/log.js';
import { addCompany } from '../../dist/subgraphs/trading/access/add-company.js';
import { addCredential } from '../../dist/subgraphs/trading/access/add-credential.js';
import { postJournals } from '../../dist/subgraphs/trading/ledger/post-journals.js';
import { openWallets } from '../../dist/subgraphs/trading/profiles/open-wallets.js';
import { insertProfile } from '../../dist/subgraphs/trading/profiles/profile.store.js';
import { fundSynthetic } from '../../dist/subgraphs/trading/transfers/fund-synthetic.js';

/** The funds of each wallet: more than any measure spends. */
const funds = { BRL: '50000000', BTC: '100', ETH: '1000', USDT: '5000000' };
/** Requests a minute: the highest limit that can be agreed. */
const rateLimit = 10_000_000;

/**
 * Onboards companies without limits, each with profiles whose wallets are well funded, and logs them in.
 * @returns {Promise<{token: string, profileId: string, walletId: string, companyId: string}[]>} the profiles; neighbours belong to different companies
 */
export async function onboardTraders(platform, { companies, profiles }) {
  const url = await findEmbedded(platform.dataDir);
  const source = await openDatabase({ url, poolSize: 1, applicationName: 'bench' });
  const log = createLog('error', process.stderr);
  const context = createContext({ clock: systemClock, log, manager: source.manager, bus: createLocalBus() });
  try {
    const all = [];
    for (let number = 0; number < companies; number += 1) all.push(await onboard(platform, context, profiles));
    return Array.from({ length: profiles }, (_, index) => all.map((traders) => traders[index])).flat();
  } finally {
    await source.destroy();
  }
}

async function onboard(platform, context, profiles) {
  const { id: companyId } = await addCompany(context, fundSynthetic, { name: 'Bench', rateLimit });
  const scopes = ['read', 'trade'];
  const pair = await addCredential(context, { companyId, scopes, allowedNetworks: null, expiresAt: null });
  const wallets = await inTransaction(context, async (tx) => {
    const opened = [];
    for (let number = 0; number < profiles; number += 1) opened.push(await openProfile(tx, companyId, number));
    await postJournals(
      tx,
      opened.map(({ walletId }) => fundingOf(walletId)),
    );
    return opened;
  });
  const token = await logIn(platform.url, pair);
  return wallets.map((wallet) => ({ ...wallet, companyId, token }));
}

async function openProfile(tx, companyId, number) {
  const base = String(200_000_000 + number);
  const person = { name: `Cliente ${number}`, taxId: `${base}${cpfCheckDigits(base)}`, taxIdType: 'CPF' };
  const profile = { ...person, email: 'bench@lastro.invalid', id: newId(), companyId };
  await insertProfile(tx, profile);
  const { real } = await openWallets(tx, fundSynthetic, { companyId, profileId: profile.id });
  return { profileId: profile.id, walletId: real.id };
}

function fundingOf(walletId) {
  const postings = Object.entries(funds).flatMap(([currency, amount]) => [
    { account: { kind: 'AVAILABLE', walletId, currency }, amount },
    { account: { kind: 'CUSTODY', currency }, amount: `-${amount}` },
  ]);
  return { key: `bench.funds:${walletId}`, cause: 'bench.funds', causeId: walletId, synthetic: false, postings };
}

async function logIn(url, { apiKey, secretKey }) {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey, secretKey }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`The login was answered ${response.status}: ${JSON.stringify(body)}`);
  return body.accessToken;
}
