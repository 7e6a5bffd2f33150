import { Link } from '@tanstack/react-router';
import { Section, Stats } from '../../design/basics.js';
import { usePathPart } from '../frame/address.js';
import { date, moment, money, plural } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { BatchActs, LineErrors, numbered, Progress, receivedIn, settledText, useUpdates } from './batch-parts.js';
import { graph, type Operations } from './graph/operations.js';
import { originatorTexts } from '../texts.js';

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
            <Content batch={settlementBatch} onChange={query.reload} />
          )
        }
      </Loaded>
    </>
  );
}

function Content({ batch, onChange }: { readonly batch: SettlementBatch; readonly onChange: () => void }) {
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
          {
            label: words.contract,
            kind: 'wide',
            cell: ({ externalId }) => (
              <Link className="code" to="/originador/recebiveis" search={{ contrato: externalId }}>
                {externalId}
              </Link>
            ),
          },
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
