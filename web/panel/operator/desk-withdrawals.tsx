import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { decimal, moment, money } from '../frame/language.js';
import type { DeskData, DeskParts } from './desk-parts.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

/** The withdrawals that wait for approvals. Nobody approves twice, or what a credential of their own issue requested: not even an administrator. */
export function Withdrawals(props: DeskParts & { readonly rows: DeskData['transferWithdrawals']['nodes'] }) {
  const { rows, mayAct, isBusy, run, ask } = props;
  const { desk: text } = operatorTexts.get();
  return (
    <Section id="withdrawals" title={text.withdrawals}>
      <Table
        caption={text.withdrawals}
        rows={rows}
        keyOf={({ id }) => id}
        empty={text.noWithdrawals}
        columns={[
          { label: text.time, kind: 'nowrap', cell: ({ withdrawal }) => moment(withdrawal.createdAt) },
          {
            label: text.amount,
            kind: 'number',
            cell: ({ withdrawal: { amount, asset }, valueBrl }) => (
              <>
                {decimal(amount)} {asset}
                <span className="sub">{money(valueBrl)}</span>
              </>
            ),
          },
          {
            label: text.to,
            kind: 'wide',
            cell: ({ withdrawal: { address, network }, beneficiaryName }) => (
              <>
                <code>{address}</code>
                <span className="sub">
                  {network} {beneficiaryName}
                </span>
              </>
            ),
          },
          {
            label: text.approvals,
            kind: 'nowrap',
            cell: ({ approvals, approvalsNeeded }) => `${decimal(approvals)} / ${decimal(approvalsNeeded)}`,
          },
          {
            label: text.acts,
            kind: 'wide',
            cell: ({ id, approvalBar }) =>
              mayAct ? <WithdrawalActs id={id} bar={approvalBar} isBusy={isBusy} run={run} ask={ask} /> : null,
          },
        ]}
      />
    </Section>
  );
}

function WithdrawalActs(
  props: Pick<DeskParts, 'isBusy' | 'run' | 'ask'> & {
    readonly id: string;
    readonly bar: DeskData['transferWithdrawals']['nodes'][number]['approvalBar'];
  },
) {
  const { id, bar, isBusy, run, ask } = props;
  const { desk: text, exceptions } = operatorTexts.get();
  return (
    <span className="row">
      {bar === null ? (
        <Button
          kind="main"
          isBusy={isBusy}
          label={`${text.approve} ${id}`}
          onPress={() => {
            run(() => graph.mutate('approveWithdrawal', { id }));
          }}
        >
          {text.approve}
        </Button>
      ) : (
        <span className="small muted">{exceptions.approvalBars[bar]}</span>
      )}
      <Button
        label={`${text.reject} ${id}`}
        onPress={() => {
          ask({
            title: text.reject,
            act: text.reject,
            text: <p>{text.rejectText}</p>,
            run: (reason) => graph.mutate('rejectWithdrawal', { id, reason }),
          });
        }}
      >
        {text.reject}
      </Button>
    </span>
  );
}
