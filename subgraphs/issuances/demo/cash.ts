import { addDays } from '../../../shared/calendar/days.js';
import type { Json, OperationTask } from './task.js';

/** Generates the accounts of an operation and its permitted investments. */
export function cash({ random, at, today }: OperationTask): Json {
  const balanceDate = addDays(today, -1);
  const account = (purpose: string, minimumBalance: string | null, known: boolean) => ({
    purpose,
    bank: 'Banco Horizonte S.A.',
    branch: known ? '0001' : null,
    accountNumber: known ? `${random.digits(5)}-${random.digits(1)}` : null,
    balance: known ? `${random.int(150, 4000)}${random.digits(3)}.${random.digits(2)}` : null,
    minimumBalance,
    balanceDate: known ? balanceDate : null,
  });
  return {
    accounts: [
      account('Conta centralizadora', null, true),
      account('Fundo de reserva', '150000.00', true),
      account('Fundo de despesas', '30000.00', at % 6 !== 5),
    ],
    permittedInvestments: [
      {
        description: 'Títulos públicos federais',
        institution: 'Banco Horizonte S.A.',
        limitPercent: '100',
        investedAmount: `${random.int(100, 900)}000.00`,
        positionDate: balanceDate,
      },
      {
        description: 'Certificados de depósito bancário de bancos de primeira linha',
        institution: null,
        limitPercent: at % 2 === 0 ? '50' : null,
        investedAmount: null,
        positionDate: null,
      },
    ],
  };
}
