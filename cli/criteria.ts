import { parseArgs } from 'node:util';
import { z } from 'zod';
import { isUuid } from '../shared/ids.js';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operateWith, Refusal, type Ask } from './operate.js';

const options = {
  min: { type: 'string' },
  max: { type: 'string' },
  'max-term': { type: 'string' },
  'max-debtor-share': { type: 'string' },
  reason: { type: 'string' },
} as const;

type Values = Readonly<Partial<Record<keyof typeof options, string>>>;

export const criteriaCommand: Command = {
  usage: `Usage: npm run lastro -- criteria set <estate> [--min <reais>] [--max <reais>] [--max-term <days>]
         [--max-debtor-share <percent>] [--reason "<why>"]
       npm run lastro -- criteria remove <estate> [--reason "<why>"]

set     replaces the criteria of the estate; a criterion that is omitted is not checked. A batch with a contract that does not
        meet them is rejected
remove  removes the criteria: the estate accepts no more credits

  <estate>            its id, ticker or slug
  --min, --max        face value of a contract
  --max-term          days from the day of processing to the due date of a contract
  --max-debtor-share  maximum share of one debtor in the face value of a batch
  --reason            reason, published with the correction

The server may be running. Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [act, estate, ...more] = positionals;
    const { reason, ...limits } = values;
    const isSaid = Object.keys(limits).length > 0;
    if (estate !== undefined && more.length === 0) {
      if (act === 'set' && isSaid) return operateWith((ask) => set(ask, estate, values));
      if (act === 'remove' && !isSaid) return operateWith((ask) => remove(ask, estate, reason));
    }
    return Promise.resolve(misused(criteriaCommand.usage, args));
  },
};

async function set(ask: Ask, estate: string, values: Values): Promise<string> {
  const { min, max, 'max-term': term, 'max-debtor-share': share, reason } = values;
  const criteria = {
    ...(min === undefined ? {} : { minFaceValue: min }),
    ...(max === undefined ? {} : { maxFaceValue: max }),
    ...(term === undefined ? {} : { maxTermDays: Number(term) }),
    ...(share === undefined ? {} : { maxDebtorShare: share }),
  };
  await ask(
    `mutation ($id: ID!, $criteria: EligibilityCriteriaInput!, $reason: String) {
      setEligibilityCriteria(patrimonyId: $id, criteria: $criteria, reason: $reason) { patrimonyId } }`,
    { id: await idOf(ask, estate), criteria, reason },
    z.object({ setEligibilityCriteria: z.object({ patrimonyId: z.string() }) }),
  );
  return `${estate} accepts contracts that meet these criteria.`;
}

async function remove(ask: Ask, estate: string, reason: string | undefined): Promise<string> {
  const { removeEligibilityCriteria: removed } = await ask(
    'mutation ($id: ID!, $reason: String) { removeEligibilityCriteria(patrimonyId: $id, reason: $reason) }',
    { id: await idOf(ask, estate), reason },
    z.object({ removeEligibilityCriteria: z.boolean() }),
  );
  return removed ? `${estate} accepts no more credits.` : `${estate} had no criteria, and accepted no credits before.`;
}

async function idOf(ask: Ask, estate: string): Promise<string> {
  if (isUuid(estate)) return estate;
  const { patrimony } = await ask(
    'query ($ticker: String!) { patrimony(ticker: $ticker) { id } }',
    { ticker: estate },
    z.object({ patrimony: z.object({ id: z.string() }).nullable() }),
  );
  if (patrimony === null) throw new Refusal(`There is no estate ${estate}`);
  return patrimony.id;
}
