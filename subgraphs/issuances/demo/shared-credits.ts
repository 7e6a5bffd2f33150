import { addMonths } from '../../../shared/calendar/days.js';
import { makeDemoCredits, sharedPortfolios, type DemoCredit } from '../../../shared/demo/credits.js';
import type { Random } from '../../../shared/demo/random.js';
import { kindOf, pastOf, statusOf, toLines, type CreditLines, type MonthEnd } from './credits.js';
import type { Project } from './projects.js';

export interface SharedCreditsTask {
  /** Random source of the project, for data of a credit that the estate lacks. */
  readonly random: Random;
  readonly project: Project;
  readonly seed: string;
  /** The day that the credits are generated for: the same as that of the estate. */
  readonly today: string;
  /** The day of the position. */
  readonly lastDay: string;
  readonly months: readonly MonthEnd[];
}

/** Returns the contracts of an operation backed by an estate of the demo: the credits of that estate; undefined for any other operation. */
export function sharedCredits(task: SharedCreditsTask): CreditLines[] | undefined {
  const { portfolio: name } = task.project;
  if (name === null) return undefined;
  const { seed, today } = task;
  const credits = makeDemoCredits({ ...sharedPortfolios[name], seed, today, name, status: 'ACTIVE' });
  return credits.map((credit) => contractOf(task, credit));
}

function contractOf({ random, project, lastDay, months }: SharedCreditsTask, credit: DemoCredit): CreditLines {
  const { externalId, debtor, value, balance, rate, installments } = credit;
  const [first = '', last = first] = [installments[0]?.dueDate, installments.at(-1)?.dueDate];
  const issueDate = `${addMonths(first.slice(0, 7), -credit.everyMonths)}-${first.slice(8)}`;
  const oldest = installments.find(({ paidOn }) => paidOn === null)?.dueDate;
  const settled = oldest === undefined;
  const daysLate = settled ? 0 : Math.max(0, Math.round((Date.parse(lastDay) - Date.parse(oldest)) / 86_400_000));
  const quota = value / BigInt(installments.length * credit.everyMonths);
  // A settled credit had a tenth of its value open before.
  const share = settled ? value / 10n : balance;
  const { positions } = pastOf({ random, months, share, settled, daysLate, quota, issueDate });
  const contract = {
    externalId,
    debtor,
    type: random.pick(kindOf[project.type]),
    status: credit.isWrittenOff ? 'WRITTEN_OFF' : statusOf(settled, daysLate),
    value,
    balance,
    indexer: 'PREFIXED' as const,
    rate,
    issueDate,
    maturityDate: last,
    installments: installments.length,
    paidInstallments: installments.filter(({ paidOn }) => paidOn !== null).length,
    daysLate,
    collateral: project.type !== 'CR' && random.chance(85) ? (value * BigInt(random.int(75, 210))) / 100n : null,
    positionDate: lastDay,
  };
  return toLines(project, contract, positions);
}
