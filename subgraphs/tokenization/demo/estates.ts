import type { RiskClass } from '../../securities/risk-class.js';
import { sharedPortfolios, type DemoPortfolio } from '../../securities/demo/credits.js';
import type { PatrimonyStatus } from '../patrimonies/patrimony.js';
import type { TrancheStatus } from '../tranches/tranche.js';

/** Remuneration of a demo series, by its key in `terms` of `tranches.ts`. */
export type Remuneration =
  | 'FIXED_365'
  | 'FIXED_360'
  | 'FIXED_252'
  | 'DI_SPREAD'
  | 'DI_SHARE'
  | 'IPCA'
  | 'IPCA_PROJECTED'
  | 'IGPM'
  | 'IGPM_OF_ISSUE';

/** Amortization of a demo series. */
export type Payback = 'SAC' | 'PRICE' | 'BULLET' | 'GRACE' | 'AT_END';

export interface Issue {
  readonly className: RiskClass;
  readonly remuneration: Remuneration;
  readonly payback: Payback;
  /** Months since remuneration began; negative if it has not begun. */
  readonly age: number;
  /** Months from the start of remuneration to the end. */
  readonly term: number;
  readonly status: TrancheStatus;
  readonly late: number;
}

/** An estate of the demo. Names are invented; any likeness to a real one is chance. */
export interface Estate {
  readonly ticker: string;
  readonly name: string;
  readonly status: PatrimonyStatus;
  /** The operation of the issuances demo that this estate backs. */
  readonly operationTicker: string | null;
  readonly tokenizes?: Readonly<Partial<Record<RiskClass, string>>>;
  /** Tokens of its first series, in thousands. */
  readonly thousands: number;
  readonly issues: readonly Issue[];
  readonly credits: DemoPortfolio;
}

function issue(
  className: RiskClass,
  remuneration: Remuneration,
  payback: Payback,
  [age, term]: readonly [number, number],
  { status = 'ACTIVE', late = 0 }: { readonly status?: TrancheStatus; readonly late?: number } = {},
): Issue {
  return { className, remuneration, payback, age, term, status, late };
}

const closed = { status: 'CLOSED' } as const;
const offered = { status: 'FUNDRAISING' } as const;
const draft = { status: 'DRAFT' } as const;

export const estates: readonly Estate[] = [
  {
    ticker: 'AURORA',
    name: 'Patrimônio Separado Residencial Aurora',
    status: 'ACTIVE',
    operationTicker: 'CRI-AURORA',
    tokenizes: { SENIOR: 'CRIAURORA1', MEZZANINE: 'CRIAURORA2', JUNIOR: 'CRIAURORA3' },
    thousands: 64,
    issues: [
      issue('SENIOR', 'IPCA', 'SAC', [16, 60]),
      issue('MEZZANINE', 'IPCA', 'GRACE', [16, 60]),
      issue('JUNIOR', 'FIXED_252', 'AT_END', [16, 60]),
    ],
    credits: sharedPortfolios.AURORA,
  },
  {
    ticker: 'VALEVERDE',
    name: 'Patrimônio Separado Loteamento Vale Verde',
    status: 'ACTIVE',
    operationTicker: 'CRI-VALEVERDE',
    tokenizes: { SENIOR: 'CRIVALEVERDE1', JUNIOR: 'CRIVALEVERDE2' },
    thousands: 112,
    issues: [issue('SENIOR', 'DI_SPREAD', 'SAC', [14, 48]), issue('JUNIOR', 'IGPM', 'BULLET', [14, 48], { late: 1 })],
    credits: sharedPortfolios.VALEVERDE,
  },
  {
    ticker: 'MOGIANA',
    name: 'Patrimônio Separado Cafés da Mogiana',
    status: 'ACTIVE',
    operationTicker: 'CRA-MOGIANA',
    tokenizes: { SENIOR: 'CRAMOGIANA1', JUNIOR: 'CRAMOGIANA2' },
    thousands: 80,
    issues: [
      issue('SENIOR', 'DI_SHARE', 'BULLET', [12, 36]),
      issue('JUNIOR', 'FIXED_365', 'GRACE', [12, 36], { late: 2 }),
    ],
    credits: sharedPortfolios.MOGIANA,
  },
  {
    ticker: 'CONSIGNA',
    name: 'Patrimônio Separado Crédito Consignado I',
    status: 'ACTIVE',
    operationTicker: 'CR-CONSIGNA',
    tokenizes: { SENIOR: 'CRCONSIGNA1', JUNIOR: 'CRCONSIGNA3' },
    thousands: 45,
    issues: [issue('SENIOR', 'FIXED_252', 'PRICE', [10, 24]), issue('JUNIOR', 'FIXED_360', 'BULLET', [10, 24])],
    credits: sharedPortfolios.CONSIGNA,
  },
  {
    ticker: 'EDUCA',
    name: 'Patrimônio Separado Crédito Educativo',
    status: 'ACTIVE',
    operationTicker: 'CR-EDUCA',
    tokenizes: { SENIOR: 'CREDUCA1', JUNIOR: 'CREDUCA2' },
    thousands: 30,
    issues: [issue('SENIOR', 'DI_SPREAD', 'SAC', [2, 36]), issue('JUNIOR', 'FIXED_252', 'AT_END', [-1, 36], offered)],
    credits: sharedPortfolios.EDUCA,
  },
  {
    ticker: 'CITRUS',
    name: 'Patrimônio Separado Sucos Citrus',
    status: 'ACTIVE',
    operationTicker: 'CRA-CITRUS',
    tokenizes: { UNIQUE: 'CRACITRUS1' },
    thousands: 52,
    issues: [
      issue('UNIQUE', 'IPCA', 'BULLET', [13, 60], { late: 1 }),
      issue('SENIOR', 'DI_SHARE', 'BULLET', [15, 12], closed),
    ],
    credits: sharedPortfolios.CITRUS,
  },
  {
    ticker: 'RODOVIA',
    name: 'Patrimônio Separado Rodovia do Planalto',
    status: 'ACTIVE',
    operationTicker: 'DEB-RODOVIA',
    thousands: 150,
    issues: [issue('SENIOR', 'IPCA_PROJECTED', 'BULLET', [12, 96]), issue('JUNIOR', 'IGPM_OF_ISSUE', 'SAC', [12, 60])],
    credits: sharedPortfolios.RODOVIA,
  },
  {
    ticker: 'PRECATORIOS',
    name: 'Patrimônio Separado Precatórios Federais I',
    status: 'ACTIVE',
    operationTicker: null,
    thousands: 20,
    issues: [issue('SENIOR', 'FIXED_365', 'AT_END', [9, 36]), issue('JUNIOR', 'FIXED_252', 'AT_END', [9, 48])],
    credits: { type: 'PRECATORIO', count: 90 },
  },
  {
    ticker: 'RECEBIVEIS',
    name: 'Patrimônio Separado Recebíveis Imobiliários II',
    status: 'DRAFT',
    operationTicker: null,
    thousands: 75,
    issues: [issue('SENIOR', 'DI_SPREAD', 'SAC', [-2, 48], draft), issue('JUNIOR', 'IGPM', 'BULLET', [-2, 48], draft)],
    credits: { type: 'CRI', count: 60 },
  },
  {
    ticker: 'SAFRA',
    name: 'Patrimônio Separado Safra Encerrada',
    status: 'CLOSED',
    operationTicker: null,
    thousands: 18,
    issues: [
      issue('SENIOR', 'FIXED_360', 'PRICE', [14, 12], closed),
      issue('JUNIOR', 'DI_SPREAD', 'BULLET', [14, 12], closed),
    ],
    credits: { type: 'CCB', count: 80 },
  },
];
