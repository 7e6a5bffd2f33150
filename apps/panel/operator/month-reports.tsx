import { Link, useSearch } from '@tanstack/react-router';
import { Badge, noted, Table, type Column } from '../../design/basics.js';
import { TextInput } from '../../design/controls/controls.js';
import { AddressForm } from '../frame/address.js';
import { ActButton } from '../frame/ask.js';
import { decimal, moment, month, today } from '../frame/language.js';
import { Loaded, Note, PageHead, textOf, useNote } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { seriesParameters } from './parameters.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';

type Found = Operations['monthReports']['data']['operations']['nodes'][number];
type Row = Found['reportMonthStates'][number] & Pick<Found, 'ticker' | 'name'>;

const page = '/operacao/relatorios';

/** The months that wait for an operator, or all of the operations that a text finds. */
export function MonthReports() {
  const { months: text, payments, words } = operatorTexts.get();
  const { ticker } = seriesParameters(useSearch({ strict: false }));
  const query = useQuery(graph, 'monthReports', { text: ticker ?? null });
  const [note, onDone] = useNote(query.reload);
  return (
    <>
      <PageHead title={text.title} lead={ticker === undefined ? text.lead : <Link to={page}>{text.waiting}</Link>} />
      <AddressForm to={page} label={words.operation} submit={payments.show} fields={['ticker']} read={seriesParameters}>
        {() => (
          <TextInput
            name="ticker"
            label={words.operation}
            defaultValue={ticker ?? ''}
            maxLength={100}
            autoComplete="off"
          />
        )}
      </AddressForm>
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ operations }) => (
          <>
            <Table
              caption={text.title}
              rows={operations.nodes.flatMap(rowsOf).filter((row) => ticker !== undefined || waits(row))}
              keyOf={(row) => `${row.ticker} ${row.month}`}
              empty={text.none}
              columns={columnsOf(onDone)}
            />
            {operations.totalCount > operations.nodes.length ? <p className="muted">{text.newest}</p> : null}
          </>
        )}
      </Loaded>
    </>
  );
}

const rowsOf = ({ ticker, name, reportMonthStates }: Found): readonly Row[] =>
  reportMonthStates.map((one) => ({ ...one, ticker, name }));

const isOpen = ({ status, month: name }: Row) => status === 'PRELIMINARY' && name < today().slice(0, 7);
const waits = (row: Row) => row.dataChanged || isOpen(row);

function columnsOf(onDone: (said: string) => void): readonly Column<Row>[] {
  const { months: text, words } = operatorTexts.get();
  return [
    {
      label: words.operation,
      cell: ({ ticker, name }) =>
        noted(
          <Link to={page} search={{ ticker }}>
            {ticker}
          </Link>,
          name,
        ),
    },
    { label: text.month, kind: 'nowrap', cell: (row) => month(row.month) },
    {
      label: words.status,
      cell: ({ status, version, dataChanged }) =>
        noted(
          <Badge tone={dataChanged ? 'warn' : status === 'FINAL' ? 'good' : 'plain'}>
            {version === null ? text.states[status] : `${text.states[status]} ${decimal(version)}`}
          </Badge>,
          dataChanged ? text.dataChanged : null,
        ),
    },
    { label: text.closed, kind: 'nowrap', cell: ({ generatedAt }) => moment(generatedAt) },
    { label: words.reason, kind: 'wide', cell: ({ reason }) => reason ?? '—' },
    { label: words.acts, cell: (row) => (waits(row) ? <Act row={row} onDone={onDone} /> : null) },
  ];
}

/** Closes a month, with a reason where something of it is missing, or reissues one whose data has changed. */
function Act({ row, onDone }: { readonly row: Row; readonly onDone: (said: string) => void }) {
  const { months: text, words, common } = operatorTexts.get();
  const { ticker, month: name } = row;
  const title = `${ticker} ${month(name)}`;
  if (row.dataChanged)
    return (
      <ReasonButton
        act={text.reissue}
        title={`${text.reissue}: ${title}`}
        label={`${text.reissue} ${title}`}
        text={text.reissueText}
        run={(reason) => graph.mutate('reissueReport', { ticker, month: name, reason })}
        onDone={() => onDone(text.reissued(title))}
      />
    );
  return (
    <ActButton
      act={text.close}
      title={`${text.close}: ${title}`}
      label={`${text.close} ${title}`}
      text={text.closeText}
      fields={['reason']}
      run={(values) =>
        graph.mutate('closeReport', { ticker, month: name, reason: textOf(values, 'reason').trim() || null })
      }
      onDone={() => onDone(text.wasClosed(title))}
    >
      <TextInput name="reason" label={words.reason} hint={common.reasonHint} maxLength={500} />
    </ActButton>
  );
}
