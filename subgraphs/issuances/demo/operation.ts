import { addDays } from '../../../shared/kernel/calendar/days.js';
import { companyDocument } from '../../securities/demo/people.js';
import type { Project } from './projects.js';
import { publications } from './publications.js';
import { coordinatorOf, trusteeOf, type Json, type OperationTask } from './task.js';

const auditors = ['Prisma Auditores Independentes', 'Régua Auditoria S/S'];
const ratings = ['brAAA', 'brAA+', 'brAA-', 'brA', 'brBBB+'];

/** Returns an operation as in its JSON file, without prices, contracts and month ends, which are CSV. */
export function makeOperation(task: OperationTask): Json {
  const { project, at, random, series } = task;
  const { type, name, classes } = project;
  const tokenized = at % 3 === 0;
  const issued = series.map(({ fields }) => fields.issueDate).sort()[0] ?? null;
  // One operation with almost no optional data.
  const sparse = project.ticker === 'CR-SAUDE';
  return {
    ticker: project.ticker,
    slug: project.slug,
    type,
    public: project.public,
    status: project.status,
    name,
    sub: `${at + 1}ª emissão, ${classes.length === 1 ? 'série única' : `${classes.length} séries`}`,
    href: `/emissoes/${project.slug}`,
    chips: [
      project.segment,
      project.contracts > 100 ? 'Pulverizado' : 'Concentrado',
      ...(tokenized ? ['Tokenizado'] : []),
    ],
    emissionNumber: at % 11 === 10 ? null : `${at + 1}ª`,
    emissionDate: at % 13 === 12 ? null : issued,
    maturityDate:
      series
        .map(({ fields }) => fields.maturityDate)
        .sort()
        .at(-1) ?? null,
    issuer: type === 'DEB' ? `${name.replace('Debêntures ', '')} S.A.` : 'Lastro Securitizadora S.A.',
    issuerCnpj: type === 'DEB' ? companyDocument(random) : '11.222.333/0001-81',
    trustee: trusteeOf(at),
    leadCoordinator: at % 5 === 4 ? null : coordinatorOf(at),
    bookkeeper: at % 6 === 5 ? null : 'Escritura Corretora Ltda.',
    auditor: at % 4 === 3 ? null : auditors[at % auditors.length],
    backingAsset: project.backing,
    rating: at % 3 === 1 ? null : ratings[at % ratings.length],
    ...(at % 9 === 8 ? {} : { summary: summaryOf(project) }),
    series: series.map(({ fields }) => fields),
    payments: [...series.flatMap(({ payments }) => payments), ...premium(task)],
    ...publications(task),
    ...cash(task),
    ...(tokenized ? { onchainContracts: onchain(task) } : {}),
    ...(at % 8 === 0 ? { provisioningBands: bands } : {}),
    covenants: covenantsOf(task),
    ...(sparse ? unknown : {}),
  };
}

const unknown: Json = {
  sub: null,
  chips: [],
  emissionNumber: null,
  emissionDate: null,
  maturityDate: null,
  issuer: null,
  issuerCnpj: null,
  trustee: null,
  leadCoordinator: null,
  bookkeeper: null,
  auditor: null,
  backingAsset: null,
  rating: null,
  summary: null,
};

function summaryOf({ name, segment, useOfProceeds, backing, type }: Project): Json {
  return {
    description: `${name}: ${type} com lastro em ${backing.toLowerCase()}.`,
    segment,
    useOfProceeds,
    offering: 'Resolução CVM 160, rito automático',
    highlights: ['Patrimônio separado com conta centralizadora', 'Monitoramento mensal do lastro'],
  };
}

/** Generates a payment of the whole operation, of which only the total is known. */
function premium({ at, today }: OperationTask): Json[] {
  if (at % 10 !== 4) return [];
  const date = addDays(today, -45);
  return [
    {
      trancheTicker: null,
      installmentNumber: 0,
      event: 'Prêmio',
      dueDate: date,
      paidDate: date,
      interestValue: null,
      principalValue: null,
      totalValue: '125000.00',
    },
  ];
}

const bands = [
  { fromDays: 0, label: 'Em dia', rate: '0.5' },
  { fromDays: 16, label: '16 a 60 dias', rate: '5' },
  { fromDays: 61, label: '61 a 120 dias', rate: '30' },
  { fromDays: 121, label: 'Acima de 120 dias', rate: '100' },
];

function covenantsOf({ series, at }: OperationTask): Json[] {
  const rule = (name: string, metric: string, comparison: string, threshold: string) => ({
    name,
    metric,
    comparison,
    threshold,
  });
  return [
    rule('Índice de cobertura mínimo', 'COVERAGE', 'AT_LEAST', '105'),
    rule('Maior devedor', 'LARGEST_DEBTOR', 'AT_MOST', at % 4 === 0 ? '3' : '15'),
    rule('Atraso acima de 90 dias', 'OVERDUE_OVER_90', 'AT_MOST', '6'),
    ...(series.length > 1 ? [rule('Subordinação mínima', 'SUBORDINATION', 'AT_LEAST', '10')] : []),
    ...(at % 2 === 0 ? [rule('LTV máximo da carteira', 'LTV', 'AT_MOST', '80')] : []),
  ];
}

function cash({ random, at, today }: OperationTask): Json {
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

function onchain({ random, project, series, today }: OperationTask): Json[] {
  const zero = `0x${'0'.repeat(40)}`;
  const token = (name: string, ticker: string | null, quantity: number) => {
    const address = `0x${random.hex(40)}`;
    const holder = `0x${random.hex(40)}`;
    const minted = Math.floor((quantity * random.int(60, 95)) / 100);
    const event = (type: string, from: string | null, to: string | null, tokens: number | null, daysAgo: number) => ({
      transactionHash: `0x${random.hex(64)}`,
      logIndex: random.int(0, 300),
      blockNumber: 70_000_000 - daysAgo * 40_000,
      type,
      from,
      to,
      tokenQuantity: tokens,
      occurredAt: `${addDays(today, -daysAgo)}T14:0${random.int(0, 9)}:00Z`,
    });
    return {
      trancheTicker: ticker,
      chainId: 137,
      network: 'Polygon',
      address,
      standard: 'ERC-721A',
      name,
      symbol: project.ticker.replace('-', '').slice(0, 11),
      tokenQuantity: quantity,
      totalSupply: minted,
      deployedAt: `${addDays(today, -500)}T13:00:00Z`,
      explorerUrl: ticker === null ? null : `https://polygonscan.com/address/${address}`,
      events: [
        event('MINT', zero, holder, minted, 499),
        event('TRANSFER', holder, `0x${random.hex(40)}`, Math.floor(minted / 10), 200),
        event('PAYMENT', null, null, null, 35),
      ],
    };
  };
  const [first] = series;
  const tokens =
    first === undefined ? [] : [token(`${project.name} 1`, first.fields.ticker, Number(first.fields['quantity']))];
  return series.length > 2 ? [...tokens, token(`${project.name}: documentos`, null, 12)] : tokens;
}
