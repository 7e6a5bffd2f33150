import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDomains, type Domains } from '../../bootstrap/subgraphs.js';
import { declaredAccess } from '../../shared/graphql/access.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';

let platform: TestPlatform;
let domains: Domains;

beforeAll(async () => {
  platform = await openTestPlatform({}, { background: false });
  domains = await openDomains(platform.infrastructure);
});
afterAll(async () => {
  await domains.close();
  await platform.close();
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
    ...['createCreditBatch', 'createCreditBatchFromCnab', 'createCreditBatchFromFile', 'takeInAssignmentFile'],
    ...['addContracts', 'removeContract', 'replaceContracts', 'takeInSettlementFile'],
    ...['createSettlementBatch', 'createSettlementBatchFromCnab', 'createSettlementBatchFromFile'],
    ...['addImportFilePiece', 'checkImport'],
  ],
  'they send what was approved to addresses that were proved': [
    ...['testWebhook', 'redeliverWebhook', 'redeliverWebhookDeliveries', 'replayWebhook'],
  ],
  'they change settings of the reader': ['followOperation', 'unfollowOperation', 'changeMailSettings'],
  'they change published facts and rules, and no balance': [
    ...['setEligibilityCriteria', 'removeEligibilityCriteria', 'closeReport', 'reissueReport', 'changeTrancheStatus'],
    ...['generateSchedule', 'reprice', 'registerCollection', 'rereadCollection'],
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
