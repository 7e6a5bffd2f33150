import { formatDocument } from '../../../shared/kernel/tax-id.js';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, Section, Stats, TableSection } from '../../design/basics.js';
import { Button } from '../../design/controls/controls.js';
import { usePathPart } from '../frame/address.js';
import type { Ruled } from '../frame/rule-text.js';
import { date, decimal, language, money, plural, moment } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { FailureNotice, Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { saveDownload } from '../frame/save-file.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import {
  Estate,
  fieldText,
  BatchActs,
  LineErrors,
  numbered,
  Progress,
  Rejection,
  SettlementLink,
  useUpdates,
  receivedIn,
  settledText,
} from './batch-parts.js';
import { toneOf } from './batch-state.js';
import { graph, type Operations } from './graph/operations.js';
import { openBalanceOf, ReceivableStatus } from './receivable-status.js';
import { originatorTexts } from '../texts.js';

type CreditBatch = NonNullable<Operations['creditBatch']['data']['creditBatch']>;
type Check = Operations['dryRun']['data']['creditBatchCheck'];

export function CreditBatchPage() {
  const { batches: text, words } = originatorTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'creditBatch', { id });
  useUpdates('creditBatchUpdated', id, query.data?.creditBatch, query.reload);
  const batch = query.data?.creditBatch;
  return (
    <>
      <PageHead
        title={batch == null ? words.batch : `${numbered(batch.number)}: ${batch.name}`}
        lead={<Link to="/originador/lotes">{text.back}</Link>}
      />
      <Loaded query={query}>
        {({ creditBatch }) =>
          creditBatch === null ? (
            <p className="empty">{text.missing}</p>
          ) : (
            <Content batch={creditBatch} onChange={query.reload} />
          )
        }
      </Loaded>
    </>
  );
}

function Content({ batch, onChange }: { readonly batch: CreditBatch; readonly onChange: () => void }) {
  const { batch: text, words } = originatorTexts.get();
  const { id, receivableCount, totalFaceValue, patrimony } = batch;
  const action = useAction();
  const [note, done] = useNote(onChange);
  const [check, setCheck] = useState<Check>();
  const isOpen = batch.status === 'DRAFT' || batch.status === 'SUBMITTED';
  return (
    <>
      <Note>{note}</Note>
      {isOpen ? (
        <div className="row">
          <BatchActs
            batch={batch}
            lineCount={receivableCount}
            sums={money(totalFaceValue)}
            isWhole={batch.mode === 'ALL_OR_NOTHING'}
            submit={() => graph.mutate('submitCreditBatch', { id })}
            cancel={() => graph.mutate('cancelCreditBatch', { id })}
            onDone={(said) => {
              setCheck(undefined);
              done(said);
            }}
          />
          <Button
            isBusy={action.isBusy}
            onPress={() => {
              void action.run(async () => {
                setCheck((await graph.query('dryRun', { id })).creditBatchCheck);
              });
            }}
          >
            {text.check}
          </Button>
        </div>
      ) : null}
      <FailureNotice failure={action.failure} />
      <Decided batch={batch} />
      {check === undefined || !isOpen ? null : <DryRun check={check} firstLine={batch.firstLine} />}
      <p>
        {words.estate}: {patrimony?.name ?? ''} <Estate ticker={patrimony?.ticker ?? null} />
      </p>
      <Progress batch={batch} lines={plural(receivableCount, text.lines)} sums={money(totalFaceValue)} />
      <LineErrors {...batch} count={batch.errorCount} />
      <Contracts key={batch.status} id={id} />
      <Settlements rows={batch.settlementBatches} />
    </>
  );
}

function Decided({ batch }: { readonly batch: CreditBatch }) {
  const { batch: text, words } = originatorTexts.get();
  const { id, mode, totalPurchasePrice, purchaseYield, acceptedCount, acceptedFaceValue, refusedCount } = batch;
  const action = useAction();
  const navigate = useNavigate();
  const isDecided = batch.status === 'PROCESSED' || batch.status === 'REJECTED';
  const price = batch.acceptedPurchasePrice ?? totalPurchasePrice;
  const sums = (count: number, total: string | null) => text.sums(decimal(count), money(total ?? '0'));
  const items = [
    { label: text.mode, value: text.modes[mode] },
    ...(price === null ? [] : [{ label: words.price, value: money(price) }]),
    ...(purchaseYield === null ? [] : [{ label: text.yield, value: text.yearly(decimal(purchaseYield)) }]),
    ...(acceptedCount === null ? [] : [{ label: text.accepted, value: sums(acceptedCount, acceptedFaceValue) }]),
    ...(refusedCount === null ? [] : [{ label: text.refused, value: sums(refusedCount, batch.refusedFaceValue) }]),
  ];
  const acts = [
    {
      label: text.returnFile,
      isShown: isDecided && refusedCount !== null && refusedCount > 0,
      act: async () => {
        saveDownload((await graph.query('returnFile', { id, language: language.graph })).creditBatchReturnFile);
      },
    },
    {
      label: text.term,
      isShown: batch.status === 'PROCESSED',
      act: async () => {
        saveDownload((await graph.query('cessionTerm', { id })).cessionTerm);
      },
    },
    {
      label: text.remake,
      isShown: batch.status === 'REJECTED' && isAnySound(batch),
      act: async () => {
        const { remakeCreditBatch: made } = await graph.mutate('remakeCreditBatch', { id });
        if (made !== null) await navigate({ to: '/originador/lotes/$id', params: { id: made.id } });
      },
    },
  ];
  return (
    <>
      <Stats items={items} />
      <div className="row">
        {acts
          .filter(({ isShown }) => isShown)
          .map(({ label, act }) => (
            <Button key={label} isBusy={action.isBusy} onPress={() => void action.run(act)}>
              {label}
            </Button>
          ))}
      </div>
      <FailureNotice failure={action.failure} />
    </>
  );
}

/** Whether a rejected batch has contracts without errors, as far as its first errors and the counts of its rules say. */
function isAnySound({ mode, receivableCount, errors, errorCount, rejectionRules }: CreditBatch): boolean {
  // The estate took nothing at all: nothing is wrong with the contracts.
  if (errorCount === 0) return true;
  const isWhole = ({ values = [] }: Ruled) =>
    values.some(({ name, value }) => name === 'count' && Number(value) === receivableCount);
  return (
    mode === 'ALL_OR_NOTHING' &&
    new Set(errors.map(({ index }) => index)).size < receivableCount &&
    rejectionRules?.some(isWhole) !== true
  );
}

function DryRun({ check, firstLine }: { readonly check: Check; readonly firstLine: number | null }) {
  const { batch: text } = originatorTexts.get();
  return (
    <>
      <div className={check.eligible ? 'notice good' : 'notice bad'} role="status">
        <p>{check.eligible ? text.eligible : text.notEligible}</p>
        {check.refusedCount === 0 ? null : <p>{plural(check.refusedCount, text.faulty)}</p>}
        <Rejection {...check} />
      </div>
      <LineErrors errors={check.errors.slice(0, 100)} count={check.errorCount} firstLine={firstLine} />
    </>
  );
}

function Contracts({ id }: { readonly id: string }) {
  const { batch: text, words } = originatorTexts.get();
  const pages = usePages(graph, 'contracts', { id }, ({ creditBatch }) => creditBatch?.receivables);
  return (
    <Section id="contracts" title={words.contracts}>
      <PagedTable
        pages={pages}
        caption={words.contracts}
        empty={text.empty}
        columns={[
          { label: words.contract, kind: 'wide', cell: ContractLink },
          { label: text.debtor, kind: 'nowrap', cell: ({ debtorDocument }) => formatDocument(debtorDocument) },
          { label: words.faceValue, kind: 'number', cell: ({ faceValue }) => money(faceValue) },
          { label: fieldText('dueDate'), kind: 'nowrap', cell: ({ dueDate }) => date(dueDate) },
          { label: words.status, kind: 'nowrap', cell: (row) => <ReceivableStatus {...row} /> },
          { label: text.openBalance, kind: 'number', cell: (row) => openBalanceOf(row) },
        ]}
      />
    </Section>
  );
}

function ContractLink({ externalId }: { readonly externalId: string }) {
  return (
    <Link className="code" to="/originador/recebiveis" search={{ contrato: externalId }}>
      {externalId}
    </Link>
  );
}

function Settlements({ rows }: { readonly rows: CreditBatch['settlementBatches'] }) {
  const { batches, settlements: text, words } = originatorTexts.get();
  return (
    <TableSection
      id="settlements"
      title={text.title}
      rows={rows}
      empty={text.none}
      columns={[
        { label: words.batch, kind: 'wide', cell: (batch) => <SettlementLink batch={batch} /> },
        {
          label: words.status,
          cell: ({ status }) => <Badge tone={toneOf[status]}>{batches.states[status]}</Badge>,
        },
      ]}
    />
  );
}

type SettlementBatch = NonNullable<Operations['settlementBatch']['data']['settlementBatch']>;

export function SettlementBatchPage() {
  const { batches, settlements: text } = originatorTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'settlementBatch', { id });
  useUpdates('settlementBatchUpdated', id, query.data?.settlementBatch, query.reload);
  const batch = query.data?.settlementBatch;
  return (
    <>
      <PageHead
        title={batch == null ? text.title : `${numbered(batch.number)}: ${text.name(moment(batch.createdAt))}`}
        lead={<Link to="/originador/liquidacoes">{text.back}</Link>}
      />
      <Loaded query={query}>
        {({ settlementBatch }) =>
          settlementBatch === null ? (
            <p className="empty">{batches.missing}</p>
          ) : (
            <SettlementContent batch={settlementBatch} onChange={query.reload} />
          )
        }
      </Loaded>
    </>
  );
}

function SettlementContent({ batch, onChange }: { readonly batch: SettlementBatch; readonly onChange: () => void }) {
  const { batch: text, receivables, settlements, statement } = originatorTexts.get();
  const { id, creditBatchId, settlementCount, totalSurplus, totalAbated } = batch;
  const [note, onDone] = useNote(onChange);
  return (
    <>
      <Note>{note}</Note>
      <div className="row">
        <BatchActs
          batch={batch}
          lineCount={settlementCount}
          sums={settledText(batch)}
          isWhole
          submit={() => graph.mutate('submitSettlementBatch', { id })}
          cancel={() => graph.mutate('cancelSettlementBatch', { id })}
          onDone={onDone}
        />
        <Link to="/originador/lotes/$id" params={{ id: creditBatchId }}>
          {settlements.creditBatch}
        </Link>
      </div>
      <Progress batch={batch} lines={plural(settlementCount, text.lines)} sums={settledText(batch)} />
      <Stats
        items={[
          { label: receivables.received, value: money(receivedIn(batch)) },
          { label: statement.surplus, value: money(totalSurplus) },
          { label: settlements.abated, value: money(totalAbated) },
        ]}
      />
      <LineErrors {...batch} count={batch.errorCount} />
      <PaymentList key={batch.status} id={id} />
    </>
  );
}

function PaymentList({ id }: { readonly id: string }) {
  const { batch, settlements: text, words } = originatorTexts.get();
  const pages = usePages(graph, 'payments', { id }, ({ settlementBatch }) => settlementBatch?.settlements);
  return (
    <Section id="payments" title={words.payments}>
      <PagedTable
        pages={pages}
        caption={words.payments}
        keyOf={({ contractId, paymentReference, settledDate, settledAmount }) =>
          [contractId, paymentReference, settledDate, settledAmount].join(' ')
        }
        empty={batch.empty}
        columns={[
          { label: words.contract, kind: 'wide', cell: ContractLink },
          { label: words.day, kind: 'nowrap', cell: ({ settledDate }) => date(settledDate) },
          { label: words.kind, kind: 'nowrap', cell: ({ kind }) => text.kinds[kind] },
          { label: words.amount, kind: 'number', cell: ({ settledAmount }) => money(settledAmount) },
          { label: text.surplus, kind: 'number', cell: ({ surplus }) => money(surplus) },
          { label: words.reference, kind: 'nowrap', cell: ({ paymentReference }) => paymentReference ?? '—' },
          {
            label: text.note,
            cell: ({ reason, substituteId, repeated, reversed, reversedAmount }) =>
              [
                reason ?? '',
                substituteId === null ? '' : text.substitute(substituteId),
                repeated ? text.repeated : '',
                reversed ? `${text.reversed} (${money(reversedAmount)})` : '',
              ]
                .filter((one) => one !== '')
                .join(', '),
          },
        ]}
      />
    </Section>
  );
}
