import type { Manager } from '../../shared/database/manager.js';
import { newId } from '../../shared/kernel/ids.js';
import { add, addOnchainContract, addOperation, addPrices, addSeries, raiseRevision } from './fixtures.js';

export const address = `0x${'ab'.repeat(20)}`;
export const transaction = `0x${'cd'.repeat(32)}`;

/** An operation, FULL, with at least one of everything, as of 2026-11-20. Answers its id and the ids of its two series. */
export async function addFullOperation(manager: Manager) {
  const id = await addOperation(manager, 'FULL', {
    type: 'CRA',
    name: 'Safra Verde',
    slug: 'patrimonio-safra-verde',
    sub: 'CRA de produtores',
    emission_number: '3ª',
    emission_date: '2025-01-15',
    maturity_date: '2030-01-15',
    issuer: 'Lastro Securitizadora S.A.',
    issuer_cnpj: '11222333000181',
    trustee: 'Fiduciária',
    lead_coordinator: 'Coordenadora',
    bookkeeper: 'Escrituradora',
    auditor: 'Auditora',
    backing_asset: 'CPR',
    rating: 'brAA',
    summary_description: 'Financia a safra',
    summary_segment: 'Agronegócio',
    summary_highlights: ['Garantia real'],
  });
  const senior = await addSeries(manager, id, 1, {
    ticker: 'FULL1',
    raised_amount: '90000000',
    subscribed_quotas: '90000',
  });
  const junior = await addSeries(manager, id, 2, { ticker: 'FULL2', class: 'JUNIOR', indexer: 'PREFIXED', rate: '15' });
  await addPrices(manager, senior, '2026-08-01', '2026-11-25');
  for (const [date, value] of [
    ['2026-11-19', '1001.09'],
    ['2026-11-24', '1'],
  ] as const)
    await add(manager, 'trustee_unit_prices', { series_id: senior, date, value, trustee: 'Fiduciária' });
  const child: AddChild = (table, columns) => add(manager, table, { id: newId(), operation_id: id, ...columns });
  await addPublications(child);
  await addDates(child, senior);
  await addCash(child);
  await addChain(manager, id, senior);
  await raiseRevision(manager);
  return { id, senior, junior };
}

type AddChild = (table: string, columns: Readonly<Record<string, unknown>>) => Promise<void>;

async function addPublications(child: AddChild): Promise<void> {
  await child('guarantees', {
    external_id: 'G1',
    position: 0,
    type: 'Penhor',
    description: 'Da safra',
    status: 'Constituída',
  });
  await child('documents', {
    external_id: 'D1',
    is_public: true,
    name: 'Termo',
    type: 'Termo de Securitização',
    url: 'https://docs.example/termo.pdf',
    reference_date: '2025-01-15',
    created_at: '2025-01-16T12:00:00Z',
  });
  await child('documents', { external_id: 'D2', is_public: true, created_at: '2025-02-01T12:00:00Z' });
  await child('documents', {
    external_id: 'D3',
    is_public: false,
    name: 'Sigiloso',
    created_at: '2025-03-01T12:00:00Z',
  });
  await child('assemblies', {
    external_id: 'AG1',
    date: '2026-05-05',
    type: 'AGT',
    title: 'Assembleia',
    call: '1ª convocação',
    status: 'Realizada',
    agenda: 'Contas',
    quorum_percent: '75',
  });
  await child('communications', { external_id: 'C1', kind: 'NOTICE', date: '2026-06-01', title: 'Aviso' });
  await child('communications', {
    external_id: 'C2',
    kind: 'MATERIAL_FACT',
    date: '2026-07-01',
    title: 'Fato',
    description: 'Texto',
  });
  await child('participants', {
    name: 'Fiduciária',
    position: 0,
    logo_url: 'https://logos.example/f.svg',
    functions: ['Agente fiduciário'],
  });
}

async function addDates(child: AddChild, senior: string): Promise<void> {
  const due = { periodicity: 'MONTHLY', title: 'Relatório' };
  await child('obligations', { ...due, external_id: 'O1', due_date: '2026-10-10', delivered_date: '2026-10-09' });
  await child('obligations', {
    ...due,
    external_id: 'O2',
    due_date: '2026-11-10',
    grace_days: 5,
    responsible: 'Devedora',
  });
  await child('obligations', { ...due, external_id: 'O3', due_date: '2026-12-10' });
  const pays = { series_id: senior, event: 'Juros e amortização' };
  await child('payments', {
    ...pays,
    installment_number: 1,
    due_date: '2026-10-15',
    paid_date: '2026-10-15',
    interest_value: '1000.5',
    principal_value: '2000',
    total_value: '3000.5',
  });
  await child('payments', { ...pays, installment_number: 2, due_date: '2026-11-16' });
  await child('payments', { event: 'Prêmio', installment_number: 1, due_date: '2026-12-15', total_value: '10' });
}

async function addCash(child: AddChild): Promise<void> {
  await child('operation_accounts', {
    external_id: 'A1',
    purpose: 'Fundo de reserva',
    bank: 'Banco Um',
    branch: '0001',
    account_number: '123-4',
    balance: '5000.1',
    minimum_balance: '4000',
    balance_date: '2026-11-19',
  });
  await child('permitted_investments', { external_id: 'I1', description: 'Títulos públicos', limit_percent: '50' });
}

async function addChain(manager: Manager, operationId: string, seriesId: string): Promise<void> {
  const contractId = await addOnchainContract(manager, operationId, {
    series_id: seriesId,
    address,
    name: 'Safra',
    token_quantity: '100000',
    total_supply: '90000',
    deployed_at: '2025-01-20T02:00:00Z',
  });
  await add(manager, 'onchain_events', {
    contract_id: contractId,
    transaction_hash: transaction,
    log_index: 3,
    block_number: '9007199254740993',
    type: 'MINT',
    to_address: address,
    token_quantity: '90000',
    occurred_at: '2025-01-21T15:00:00Z',
  });
}
