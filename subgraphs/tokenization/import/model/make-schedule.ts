import { Decimal } from '../../../../shared/decimal.js';
import { broken } from '../../../../shared/import/import-rules.js';
import type { Expansion } from '../../../../shared/import/model/kind.js';
import type { Values } from '../../../../shared/import/model/value.js';
import type { ImportDay } from '../../../../shared/import/model/rules.js';
import type { AmortizationSystem, SchedulePolicy } from '../../unit-price/schedule-policy.js';
import { PolicyOutOfBounds, schedule } from '../../unit-price/schedule.js';

export const amortizationSystems = ['BULLET', 'SAC', 'PRICE'] as const;

const prefix = 'schedulePolicy.';
const needed = ['firstMonth', 'anniversaryDay', 'everyMonths', 'instalments', 'amortization'];

/** Generates the instalments of a series whose schedule is given as a policy; undefined otherwise. */
export function makeSchedule(values: Readonly<Values>, { calendar }: ImportDay): Expansion | undefined {
  const given = (name: string) => values[`${prefix}${name}`] ?? null;
  if (!Object.keys(values).some((name) => name.startsWith(prefix) && values[name] !== null)) return undefined;
  const lacking = needed.find((name) => given(name) === null);
  if (lacking !== undefined)
    return { field: prefix + lacking, error: broken('REQUIRED_WITH', { field: 'schedulePolicy' }) };
  if ((given('amortization') === 'PRICE') !== (given('priceRate') !== null)) {
    return { field: `${prefix}priceRate`, error: broken('ONLY_WITH_PRICE') };
  }
  try {
    const base = values['amortizationOf'] === 'ISSUE_VALUE' ? 'ISSUE_VALUE' : 'BALANCE';
    const instalments = schedule(policyOf(given), calendar, base);
    return { field: 'schedulePolicy', list: 'schedule', records: instalments.map(recordOf) };
  } catch (error) {
    if (error instanceof PolicyOutOfBounds) {
      const { field: name, min, max } = error;
      return { field: 'schedulePolicy', error: broken('SCHEDULE_BOUNDS', { name, min, max }) };
    }
    if (!(error instanceof RangeError)) throw error;
    return { field: 'schedulePolicy', error: broken('NO_SCHEDULE', { detail: error.message }) };
  }
}

function policyOf(given: (name: string) => string | null): SchedulePolicy {
  const number = (name: string, fallback: number) => Number(given(name) ?? fallback);
  return {
    firstMonth: (given('firstMonth') ?? '').slice(0, 7),
    anniversaryDay: number('anniversaryDay', 0),
    everyMonths: number('everyMonths', 0),
    instalments: number('instalments', 0),
    accrueUntil: given('accrueUntil') === 'DUE_DATE' ? 'DUE_DATE' : 'ANNIVERSARY',
    amortization: systemOf(given),
    principalGrace: number('principalGrace', 0),
    interestGrace: number('interestGrace', 0),
    graceInterest: given('graceInterest') === 'ACCRUED' ? 'ACCRUED' : 'INCORPORATED',
    percentageDecimals: number('percentageDecimals', 4),
  };
}

function systemOf(given: (name: string) => string | null): AmortizationSystem {
  if (given('amortization') === 'PRICE') return { kind: 'PRICE', rate: new Decimal(given('priceRate') ?? '0') };
  return { kind: given('amortization') === 'SAC' ? 'SAC' : 'BULLET' };
}

function recordOf(instalment: ReturnType<typeof schedule>[number]): Values {
  return {
    installmentNumber: String(instalment.installmentNumber),
    calculationDate: instalment.calculationDate,
    dueDate: instalment.dueDate,
    interestEvent: instalment.interest,
    amortizationPercentage: instalment.amortizationPercentage.toFixed(),
    interestPercentage: instalment.interestPercentage.toFixed(),
    principalPercentage: instalment.principalPercentage.toFixed(),
  };
}
