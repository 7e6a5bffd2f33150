import { Badge, noted, TableSection } from '../../design/basics.js';
import { SelectInput, TextInput, valueIn } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { moment } from '../frame/language.js';
import { exact } from '../trading/price.js';
import { textOf } from '../frame/parts.js';
import type { DeskParts, ExceptionData } from './desk-parts.js';
import { graph } from './graph.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';

type Stuck = ExceptionData['quarantined']['nodes'][number];
type Reversed = ExceptionData['quarantinedDeposits'][number];

/** Withdrawals whose outcome custody does not report. */
export function StuckWithdrawals(props: DeskParts & { readonly rows: readonly Stuck[] }) {
  const { rows, mayAct, onDone } = props;
  const { desk, exceptions: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="stuck"
      title={text.stuck}
      rows={rows}
      empty={text.noStuck}
      columns={[
        { label: desk.time, kind: 'nowrap', cell: ({ withdrawal }) => moment(withdrawal.createdAt) },
        {
          label: words.amount,
          kind: 'number',
          cell: ({ withdrawal: { amount, asset } }) => `${exact(amount)} ${asset}`,
        },
        {
          label: desk.to,
          kind: 'wide',
          cell: ({ withdrawal: { address, network, transaction } }) =>
            noted(
              <code>{address}</code>,
              <>
                {network} {transaction}
              </>,
            ),
        },
        {
          label: words.status,
          kind: 'nowrap',
          cell: ({ state, synthetic }) => (
            <>
              <Badge tone="bad">{state === 'QUARANTINED' ? words.quarantined : text.unconfirmed}</Badge>{' '}
              {synthetic ? <Badge>{text.synthetic}</Badge> : null}
            </>
          ),
        },
        {
          label: words.acts,
          cell: (row) => (mayAct ? <ResolveWithdrawal row={row} onDone={onDone} /> : null),
        },
      ]}
    />
  );
}

interface ResolveProps<Row> {
  readonly row: Row;
  readonly onDone: () => void;
}

function ResolveWithdrawal({ row, onDone }: ResolveProps<Stuck>) {
  const { exceptions: text, words } = operatorTexts.get();
  return (
    <ActButton
      label={`${text.resolve} ${row.id}`}
      title={text.resolveWithdrawal}
      act={text.resolve}
      kind="danger"
      fields={['outcome', 'transaction', 'reason']}
      text={text.resolveWithdrawalText}
      run={(values) =>
        graph.mutate('resolveWithdrawal', {
          id: row.id,
          outcome: valueIn(text.withdrawalOutcomes, textOf(values, 'outcome')) ?? 'SENT',
          transaction: textOf(values, 'transaction').trim() || null,
          reason: textOf(values, 'reason').trim(),
        })
      }
      onDone={onDone}
    >
      <SelectInput name="outcome" label={words.outcome} options={text.withdrawalOutcomes} />
      <TextInput
        name="transaction"
        label={text.transaction}
        hint={text.transactionHint}
        autoComplete="off"
        maxLength={200}
      />
      <TextInput name="reason" label={words.reason} hint={text.seenByCompany} maxLength={500} isRequired />
    </ActButton>
  );
}

/** Deposits that their network reversed after the client had used them. */
export function Deposits(props: DeskParts & { readonly rows: ExceptionData['quarantinedDeposits'] }) {
  const { rows, mayAct, onDone } = props;
  const { exceptions: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="deposits"
      title={text.deposits}
      rows={rows}
      empty={text.noDeposits}
      columns={[
        { label: text.seen, kind: 'nowrap', cell: ({ deposit }) => moment(deposit.seenAt) },
        {
          label: words.amount,
          kind: 'number',
          cell: ({ deposit: { amount, asset } }) => `${exact(amount)} ${asset}`,
        },
        {
          label: text.missing,
          kind: 'number',
          cell: ({ missing, deposit: { asset } }) => (missing === null ? '' : `${exact(missing)} ${asset}`),
        },
        {
          label: text.transaction,
          kind: 'wide',
          cell: ({ deposit: { network, transaction }, walletId, synthetic }) =>
            noted(
              <>
                <code>{transaction}</code> {synthetic ? <Badge>{text.synthetic}</Badge> : null}
              </>,
              `${network} · ${text.wallet} ${walletId}`,
            ),
        },
        {
          label: words.acts,
          cell: (row) => (mayAct ? <ResolveDeposit row={row} onDone={onDone} /> : null),
        },
      ]}
    />
  );
}

function ResolveDeposit({ row, onDone }: ResolveProps<Reversed>) {
  const { exceptions: text, words } = operatorTexts.get();
  return (
    <ReasonButton
      label={`${text.resolve} ${row.id}`}
      title={text.resolveDeposit}
      act={text.resolve}
      text={text.resolveDepositText}
      fields={['outcome']}
      run={(reason, values) =>
        graph.mutate('resolveDeposit', {
          id: row.id,
          outcome: valueIn(text.depositOutcomes, textOf(values, 'outcome')) ?? 'REVERSED',
          reason,
        })
      }
      onDone={onDone}
    >
      <SelectInput name="outcome" label={words.outcome} options={text.depositOutcomes} />
    </ReasonButton>
  );
}
