import { afterAll, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { Principal } from '../../../shared/kernel/context.js';
import {
  addOriginatorKey,
  permitAccountToSend,
} from '../../../subgraphs/credit-assignment/originators/originators.acts.js';
import { operator } from '../../kit/context.js';
import { formatCnab444 } from '../cnab444/files.js';
import { assigned, fileOf } from '../cnab444/kit.js';
import { contracts, person } from '../kit.js';
import { openSettlements, payment } from '../settlement-kit.js';

const kit = await openSettlements();
afterAll(() => kit.close());

interface Origin {
  readonly number: number;
  readonly sender: string;
  readonly senderKey: string | null;
  readonly fileName: string | null;
}
const fields = 'number sender senderKey fileName firstLine';
const originOf = async (id: string, principal: Principal, kind = 'creditBatch') =>
  (await kit.data<Record<string, Origin>>(`query ($id: ID!) { ${kind}(id: $id) { ${fields} } }`, { id }, principal))[
    kind
  ];
const numberOf = async (id: string, principal: Principal, kind?: string) =>
  (await originOf(id, principal, kind))?.number;

const line = 'F;52998224725;10;2031-01-31\n';
const send = (principal: Principal, fileName: string | null, lines = line) =>
  kit.run(
    `mutation ($patrimonyId: ID!, $file: String!, $fileName: String) {
      createCreditBatchFromFile(patrimonyId: $patrimonyId, format: CSV, file: $file, fileName: $fileName) { id ${fields} } }`,
    {
      patrimonyId: kit.patrimonyId,
      file: `externalId;debtorDocument;faceValue;dueDate\n${lines}`,
      fileName,
    },
    principal,
  );
const sent = async (principal: Principal, fileName: string | null, lines?: string) =>
  (await send(principal, fileName, lines)).data?.['createCreditBatchFromFile'];

test('batches of a client are numbered in their order, whatever their kind, and each year anew', async () => {
  const [bank, other] = [await kit.client(), await kit.client()];
  const { id, ids } = await kit.assigned(bank);
  const settlement = await kit.settled(bank, id, [payment(ids[0] ?? '', '1')]);
  expect(await numberOf(id, bank)).toBe(1);
  expect(await numberOf(settlement, bank, 'settlementBatch')).toBe(2);
  expect(await numberOf((await kit.create(bank)).id, bank)).toBe(3);
  expect(await numberOf((await kit.create(other)).id, other)).toBe(1);
  kit.clock.advance(42 * 86_400_000);
  expect(await numberOf((await kit.create(bank)).id, bank)).toBe(1);
  kit.clock.advance(-42 * 86_400_000);
  const text = 'query ($number: Int) { creditBatches(filter: { number: $number }) { totalCount nodes { number } } }';
  expect(await kit.data(text, { number: 3 }, bank)).toEqual({
    creditBatches: { totalCount: 1, nodes: [{ number: 3 }] },
  });
  expect(await kit.data(text, { number: 1 }, bank)).toMatchObject({ creditBatches: { totalCount: 2 } });
});

test('those that are made at once get a number each', async () => {
  const bank = await kit.client();
  const made = await Promise.all(Array.from({ length: 8 }, (_, at) => kit.create(bank, contracts(2, `N${at}`))));
  const numbers = await Promise.all(made.map(({ id }) => numberOf(id, bank)));
  expect(numbers.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a batch says who sent it, by which key, and in which file', async () => {
  const account = 'account-of-numbers';
  const bank = await kit.client(account);
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const key = await addOriginatorKey(kit.context, () => undefined, bank.ownerId, pem);
  const bySignature = { sender: 'CLIENT', senderKey: key.fingerprint.toString('hex') };
  const signed = { ...bank, id: key.id };
  expect(await originOf((await kit.create(signed)).id, bank)).toMatchObject({ ...bySignature, fileName: null });
  expect(await sent(signed, '  cessa\u0303o.csv ')).toMatchObject({ ...bySignature, fileName: 'cessão.csv' });
  await permitAccountToSend(kit.context, bank.ownerId, true);
  const browser = { id: 'b', provedAtMs: kit.clock.now().getTime() };
  const byPerson = await sent({ ...person(account), browser }, null);
  expect(byPerson).toMatchObject({ sender: 'ACCOUNT', senderKey: null, fileName: null });
  const takenIn = await kit.data<{ takeInAssignmentFile: { id: string } }>(
    `mutation ($originatorId: ID!, $file: String!) {
      takeInAssignmentFile(originatorId: $originatorId, patrimony: "PAT-1", file: $file) { id } }`,
    { originatorId: bank.ownerId, file: formatCnab444(fileOf(assigned('CNAB'))) },
    { ...operator, scopes: ['originate'] },
  );
  const byOperator = await originOf(takenIn.takeInAssignmentFile.id, bank);
  expect(byOperator).toMatchObject({ sender: 'OPERATOR', senderKey: null });
});

test('a batch says where its first line is in its file, while the others follow one by one', async () => {
  const bank = await kit.client();
  const next = line.replace('F', 'G');
  const made = (await sent(bank, null, `\n\n${line}${next}`)) as { id: string };
  expect(made).toMatchObject({ firstLine: 4 });
  expect(await sent(bank, null, `${line}\n${next}`)).toMatchObject({ firstLine: null });
  await kit.run('mutation ($id: ID!) { removeContract(id: $id, externalId: "F") { id } }', { id: made.id }, bank);
  expect(await originOf(made.id, bank)).toMatchObject({ firstLine: null });
});

test('the name of a file has characters that can be seen', async () => {
  const bank = await kit.client();
  expect((await send(bank, 'a\u200bb.csv')).error).toMatchObject({
    statusCode: 400,
    details: [{ path: 'fileName' }],
  });
  expect(await sent(bank, ' ')).toMatchObject({ fileName: null });
});
