import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import {
  collectionsDue,
  countTokens,
  sampleTokens,
  saveChecks,
  type Checked,
  type DueCollection,
  type OwnedToken,
} from './scan.store.js';
import type { Block, ChainNode } from './node.js';
import { expectSame } from './read-range.js';
import { Counter } from 'prom-client';

/** A contract is checked again after this time even if nothing has happened. */
const restMs = 10 * 60_000;
const perRun = 200;
const tokensAsked = 10;
const atOnce = 5;

interface Known {
  readonly tokens: bigint;
  readonly sample: readonly OwnedToken[];
}

/** Compares number of tokens and owners of a sample with the events at the same block; differences are stored and logged, nothing is corrected. @throws {Reorganised} @throws {NodeFault} */
export async function checkCollections(context: Context, node: ChainNode, chainId: number, at: Block): Promise<void> {
  const before = new Date(context.clock.now().getTime() - restMs);
  const due = await collectionsDue(context, chainId, { at: at.number, before, limit: perRun });
  if (due.length === 0) return;
  const ids = due.map(({ id }) => id);
  const tokens = await countTokens(context, ids);
  const sample = await sampleTokens(context, ids, { seed: at.hash, count: tokensAsked });
  const samples = groupBy(sample, ({ collectionId }) => collectionId);
  const checks: Checked[] = [];
  for (let start = 0; start < due.length; start += atOnce) {
    const some = due.slice(start, start + atOnce).map((one) => {
      const known = { tokens: tokens.get(one.id) ?? 0n, sample: samples.get(one.id) ?? [] };
      return check(node, one, known, at);
    });
    checks.push(...(await Promise.all(some)));
  }
  await expectSame(node, at);
  await saveChecks(context, at.number, checks);
  tell(context, due, checks);
}

async function check(node: ChainNode, { id, address, deployedBlock, gaps }: DueCollection, known: Known, at: Block) {
  const [said, deployed, owners] = await Promise.all([
    node.describe(address, at.number),
    node.block(deployedBlock),
    Promise.all(known.sample.map(({ token }) => node.ownerOf(address, token, at.number))),
  ]);
  if (said === undefined || deployed === undefined) {
    return { id, description: undefined, problem: 'The contract does not respond as an ERC-721A collection' };
  }
  const errors: string[] = [];
  if (said.totalSupply !== known.tokens) {
    errors.push(`totalSupply is ${said.totalSupply}, but according to the events there are ${known.tokens} tokens`);
  }
  known.sample.forEach(({ token, owner }, index) => {
    const there = owners[index];
    if (there !== owner)
      errors.push(`token ${token} belongs to ${there ?? 'nobody'}, but according to the events to ${owner}`);
  });
  if (gaps > 0) errors.push(`${gaps} movements do not follow from the previous ones`);
  const problem = errors.length === 0 ? null : `At block ${at.number}: ${errors.join('; ')}`;
  return { id, description: { ...said, deployedAt: deployed.madeAt }, problem };
}

function tell({ log }: Context, due: readonly DueCollection[], checks: readonly Checked[]): void {
  const problems = new Map(checks.map(({ id, problem }) => [id, problem]));
  for (const { id, address, problem: before } of due) {
    const problem = problems.get(id) ?? null;
    if (problem !== null && before === null) {
      contractDifferences.inc();
      log.error({ address, problem }, 'A token contract differs from its events');
    }
    if (problem === null && before !== null)
      log.info({ address }, 'A token contract is consistent with its events again');
  }
}

export const contractDifferences = new Counter({
  name: 'token_contract_differences_total',
  help: 'Number of times a token contract began to differ from its events.',
  registers: [],
});
