import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDomains, type Domains } from '../../bootstrap/subgraphs.js';
import { declaredAccess } from '../../shared/subgraph/access.js';
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

test('the mutations that need a proof of the last minutes from a browser’s session are these', () => {
  const fields = domains.all.flatMap(({ schema }) => Object.values(schema.getMutationType()?.getFields() ?? {}));
  const names = fields
    .filter(({ extensions }) => declaredAccess(extensions)?.stepUp === true)
    .map(({ name }) => name)
    .sort();
  expect(names.filter((name) => !isForm(name, names))).toEqual([
    'addMyOriginatorKey',
    'addOperator',
    'addOperatorKey',
    'addOriginator',
    'addOriginatorKey',
    'addPasskey',
    'addTradingCompany',
    'addTradingCredential',
    'addTradingVenue',
    'addWithdrawalAddress',
    'approveWithdrawal',
    'beginPasskey',
    'beginTotp',
    'cancelCreditBatch',
    'cancelSettlementBatch',
    'changeOperatorRoles',
    'changeOriginator',
    'changeTradingCompany',
    'changeTradingCredential',
    'confirmTotp',
    'createApiKey',
    'createDeveloperKey',
    'createWebhook',
    'importFiles',
    'limitKey',
    'permitAccountToSend',
    'permitOriginator',
    'postCorrection',
    'rejectWithdrawal',
    'removePasskey',
    'removeTotp',
    'removeWithdrawalAddress',
    'replaceRecoveryCodes',
    'requireWithdrawalList',
    'resetSecondFactors',
    'resolveDeposit',
    'resolveWithdrawal',
    'revertImport',
    'revokeApiKey',
    'revokeDeveloperKey',
    'revokeMyOriginatorKey',
    'revokeOperator',
    'revokeOperatorKey',
    'revokeOriginatorKey',
    'revokeTradingCredential',
    'rotateApiKey',
    'rotateDeveloperKey',
    'rotateWebhookSecret',
    'setWithdrawalLimit',
    'submitCreditBatch',
    'submitSettlementBatch',
    'updateWebhook',
    'voidRecord',
    'withdraw',
  ]);
  const forms = fields.map(({ name }) => name).filter((name) => isForm(name, names));
  expect(forms.filter((name) => !names.includes(name))).toEqual([]);
});
