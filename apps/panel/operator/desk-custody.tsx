import { Link } from '@tanstack/react-router';
import { Badge, noted, TableSection } from '../../design/basics.js';
import { SelectInput, TextInput, valueIn } from '../../design/controls/controls.js';
import { moment } from '../frame/language.js';
import { exact } from '../trading/price.js';
import { textOf } from '../frame/parts.js';
import { type DeskParts, type DeskWithdrawal, type ExceptionData, networkName } from './desk-parts.js';
import { graph } from './graph/operations.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';

type Reversed = ExceptionData['quarantinedDeposits'][number];

interface ResolveProps<Row> extends Pick<DeskParts, 'onDone'> {
  readonly row: Row;
}

/** Says what became of a withdrawal whose outcome is unknown, or that one which had arrived came back. */
export function ResolveWithdrawal({ row, onDone }: ResolveProps<DeskWithdrawal>) {
  const { exceptions: text, words } = operatorTexts.get();
  const hasArrived = row.state === 'COMPLETED';
  const act = hasArrived ? text.cameBack : text.resolve;
  return (
    <ReasonButton
      label={`${act} ${row.id}`}
      title={text.resolveWithdrawal}
      act={act}
      fields={hasArrived ? [] : ['outcome', 'transaction']}
      text={hasArrived ? text.cameBackText : text.resolveWithdrawalText}
      hint={text.seenByCompany}
      run={(reason, values) =>
        graph.mutate('resolveWithdrawal', {
          id: row.id,
          outcome: hasArrived ? 'RETURNED' : (valueIn(text.withdrawalOutcomes, textOf(values, 'outcome')) ?? 'SENT'),
          transaction: textOf(values, 'transaction').trim() || null,
          reason,
        })
      }
      onDone={() => onDone(text.resolved)}
    >
      {hasArrived ? null : (
        <>
          <SelectInput name="outcome" label={words.outcome} options={text.withdrawalOutcomes} />
          <TextInput
            name="transaction"
            label={text.transaction}
            hint={text.transactionHint}
            autoComplete="off"
            maxLength={200}
          />
        </>
      )}
    </ReasonButton>
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
        { label: words.since, kind: 'nowrap', cell: ({ deposit }) => moment(deposit.quarantinedAt) },
        {
          label: words.amount,
          kind: 'number',
          cell: ({ deposit: { amount, asset } }) => `${exact(amount)} ${asset}`,
        },
        {
          label: words.company,
          kind: 'nowrap',
          cell: ({ owner: { companyId, companyName, profileName } }) =>
            noted(
              <Link to="/operacao/empresas/$id" params={{ id: companyId }}>
                {companyName}
              </Link>,
              profileName ?? words.ownWallet,
            ),
        },
        {
          label: text.missing,
          kind: 'number',
          cell: ({ missing, deposit: { asset } }) => (missing === null ? '' : `${exact(missing)} ${asset}`),
        },
        {
          label: text.transaction,
          kind: 'wide',
          cell: ({ deposit: { network, transaction }, synthetic }) =>
            noted(
              <>
                <code>{transaction}</code> {synthetic ? <Badge>{text.synthetic}</Badge> : null}
              </>,
              networkName(network),
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
      onDone={() => onDone(text.resolved)}
    >
      <SelectInput name="outcome" label={words.outcome} options={text.depositOutcomes} />
    </ReasonButton>
  );
}
