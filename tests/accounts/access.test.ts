import { afterAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { isObjectType } from 'graphql';
import { createGraph } from '../../gateway/graph/graph.js';
import { localDataSource } from '../../gateway/graph/data-source.js';
import { openDomains } from '../../bootstrap/subgraphs.js';
import { readSupergraph } from '../../bootstrap/supergraph.js';
import { openTestPlatform } from '../kit/platform.js';
import { documentFor } from '../kit/root-document.js';
import { callerOf, password } from './http.js';
import { declaredAccess } from '../../shared/graphql/access.js';

const email = 'waiting@casa.example';
const platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '100000', RATE_LIMIT_SESSION: '100000' });
const caller = callerOf(platform);
const domains = await openDomains(platform.infrastructure);

const sources = Object.fromEntries(
  domains.all.map(({ name, schema }) => [name, localDataSource(schema, platform.infrastructure.keyRing)]),
);

const graph = await createGraph({ supergraphSdl: await readSupergraph(), sources });
await caller.post('/v1/emissoes/auth/register', { name: 'Ana', email, password, company: 'Casa' });
const { body } = await caller.post('/v1/emissoes/auth/login', { email, password });
const { accessToken } = body as { accessToken: string };
const session: { readonly authorization: string } = { authorization: `Bearer ${accessToken}` };
const found = await domains.accounts.authenticator.authenticate({ bearer: accessToken });
if (found === undefined) throw new Error('The session does not work');
const principal = found;

afterAll(async () => {
  await domains.close();
  await platform.close();
});

const open = new Set(['me', 'logout', 'verifyEmail', 'resendVerification']);

/** The status of the first error of an operation, 200 where there is none. */
async function statusOf(kind: string, text: string): Promise<number> {
  const prepared = graph.prepare(text);
  const context = { ...platform.infrastructure.context, principal, loaders: new Map() };
  const answer = await (kind === 'subscription'
    ? graph.subscribe(prepared, {}, context)
    : graph.run(prepared, {}, context));
  if ('next' in answer) {
    await answer.return?.();
    return 200;
  }
  return Number(answer.errors?.[0]?.extensions['statusCode'] ?? 200);
}

describe('the session of an account whose e-mail is not confirmed', () => {
  test('is refused every root field of the graph but me, logout and what confirms it', async () => {
    const { apiSchema } = graph;
    const roots = {
      query: apiSchema.getQueryType(),
      mutation: apiSchema.getMutationType(),
      subscription: apiSchema.getSubscriptionType(),
    };
    const outcomes: string[] = [];
    let refused = 0;
    for (const [kind, root] of Object.entries(roots)) {
      if (!isObjectType(root)) throw new Error(`The graph has no ${kind}`);
      for (const field of Object.values(root.getFields())) {
        if (open.has(field.name)) continue;
        const status = await statusOf(kind, documentFor(kind, field));
        if (status === 403) refused += 1;
        else outcomes.push(`${kind} ${field.name}: ${status}`);
      }
    }
    expect(outcomes).toEqual([]);
    expect(refused).toBeGreaterThan(60);
  });

  test('gets the reason in a sentence, over HTTP', async () => {
    const { body } = await caller.graphql('{ patrimonies(first: 1) { nodes { id } } }', {}, session);
    expect((body as { errors: object[] }).errors[0]).toMatchObject({
      message: expect.stringContaining('Confirm the e-mail of the account'),
      extensions: { statusCode: 403 },
    });
  });

  test('sees me by REST and by the graph, and nothing else there', async () => {
    expect(await caller.send('GET', '/v1/emissoes/auth/me', undefined, session)).toMatchObject({
      status: 200,
      body: { email },
    });
    expect((await caller.graphql('{ me { email } }', {}, session)).body).toEqual({ data: { me: { email } } });
    for (const [method, path, body] of [
      ['GET', '/v1/emissoes/keys', undefined],
      ['POST', '/v1/emissoes/keys', { name: 'k' }],
      ['DELETE', '/v1/emissoes/keys/00000000-0000-4000-8000-000000000000', undefined],
    ] as const) {
      expect((await caller.send(method, path, body, session)).status).toBe(403);
    }
  });

  test('opens neither operation data nor the endpoint of agents', async () => {
    expect((await caller.send('GET', '/v1/emissoes/operacoes', undefined, session)).status).toBe(401);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await caller.post('/v1/emissoes/mcp', call, { ...session, ...accept })).status).toBe(401);
  });

  test('may be sent beside a public path, which asks nobody who they are', async () => {
    expect((await caller.send('GET', '/public/patrimonies', undefined, session)).status).toBe(200);
  });

  test('does more once the e-mail is confirmed, at once', async () => {
    await caller.post('/v1/emissoes/auth/verify-email', { token: await caller.tokenFor(email) });
    expect((await caller.post('/v1/emissoes/keys', { name: 'k' }, session)).status).toBe(201);
  });
});

const isForm = (name: string, names: readonly string[]) =>
  name.endsWith('Result') && names.includes(name.slice(0, -'Result'.length));

/** Fields of the graph that need no proof of the last minutes, by the reason. Every other mutation needs one. */
const without = {
  'no session of a browser has them': [
    ...['register', 'login', 'verifyEmail', 'resendVerification', 'forgotPassword', 'resetPassword', 'endDigests'],
    ...['tradingLogin', 'refreshTradingTokens', 'fetchOperatorKey'],
  ],
  'they ask for the password themselves': ['changePassword', 'deleteMyAccount'],
  'they only take access away, or give back what was taken': [
    ...['logout', 'endSession', 'endOtherSessions', 'endSessionsOf', 'endAccountSessions', 'disableAccount'],
    ...[
      'suspendProfile',
      'activateProfile',
      'suspendTradingProfile',
      'activateTradingProfile',
      'withdrawOriginatorPermit',
    ],
    ...['deleteWebhook', 'activateWebhook'],
  ],
  'they trade within the wallets of the company': [
    ...['createOrder', 'cancelOrder', 'cancelAllOrders', 'cancelAllAfter', 'createQuote', 'executeQuote'],
    ...['createProfile', 'updateProfile'],
  ],
  'they change a draft, which is submitted with a proof': [
    ...['createCreditBatch', 'createCreditBatchFromFile', 'takeInAssignmentFile'],
    ...['addContracts', 'remakeCreditBatch', 'removeContract', 'replaceContracts', 'takeInSettlementFile'],
    ...['createSettlementBatch', 'createSettlementBatchFromFile'],
    ...['addImportFilePiece', 'checkImport'],
  ],
  'they send what was approved to addresses that were proved': [
    ...['testWebhook', 'redeliverWebhook', 'redeliverWebhookDeliveries', 'replayWebhook'],
  ],
  'they change settings of the reader': ['followOperation', 'unfollowOperation', 'changeMailSettings'],
  'they change published facts and rules, and no balance': [
    ...['setEligibilityCriteria', 'removeEligibilityCriteria', 'closeReport', 'reissueReport', 'changeTrancheStatus'],
    ...['generateSchedule', 'reprice', 'registerCollection', 'rereadCollection', 'setSeriesPricing'],
  ],
  'they run the house': [
    ...['addCurrency', 'addMarket', 'changeMarket', 'haltMarket', 'resumeMarket', 'haltTrading', 'resumeTrading'],
    ...['resumeCurrency', 'reconcileLedger', 'resolveReconciliationFinding', 'runJob'],
    ...['quarantinePlatformWork', 'releasePlatformWork', 'retryPlatformWork', 'retryTradingWork'],
    ...['quarantineCreditAssignmentWork', 'releaseCreditAssignmentWork'],
    ...['quarantineTokenizationWork', 'releaseTokenizationWork', 'retryTokenizationWork'],
  ],
  'they work in development alone': ['simulateDeposit', 'simulateReorganisation'],
};

interface Root {
  readonly name: string;
  readonly needsProof: boolean;
}

/** The fields of a root type over all domains; the second mutation of a form is as the first. */
function rootsOf(kind: 'Query' | 'Mutation'): Root[] {
  const fields = domains.all.flatMap(({ schema }) => {
    const type = kind === 'Query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(type?.getFields() ?? {});
  });
  const all = fields.map(({ name, extensions }) => ({
    name,
    needsProof: declaredAccess(extensions)?.stepUp === true,
  }));
  const names = all.map(({ name }) => name);
  const proofOf = new Map(all.map(({ name, needsProof }) => [name, needsProof]));
  for (const { name, needsProof } of all)
    if (isForm(name, names)) expect([name, needsProof]).toEqual([name, proofOf.get(name.slice(0, -'Result'.length))]);
  return all.filter(({ name }) => !isForm(name, names));
}

test('every mutation needs a proof of the last minutes from a browser’s session, but those that are named here with a reason', () => {
  const free = rootsOf('Mutation').filter(({ needsProof }) => !needsProof);
  expect(free.map(({ name }) => name).sort()).toEqual(Object.values(without).flat().sort());
});

test('the contract names the fields that need a proof of the last minutes', () => {
  const text = readFileSync('docs/contract/browser-sessions.md', 'utf8');
  const section = /### 4\.2 [^]*?(?=\n## )/.exec(text)?.[0] ?? '';
  const listed = [...section.matchAll(/`([a-z]\w+)`/g)].map(([, name]) => name);
  const needing = [...rootsOf('Query'), ...rootsOf('Mutation')].filter(({ needsProof }) => needsProof);
  expect(listed.sort()).toEqual(needing.map(({ name }) => name).sort());
});
