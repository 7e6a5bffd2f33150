import { Link } from '@tanstack/react-router';
import { Badge, Facts, noted, TableSection } from '../../design/basics.js';
import { ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { FailureError, noResponse } from '../frame/failure.js';
import { decimal, moment, money } from '../frame/language.js';
import { useQuery } from '../frame/use-graph.js';
import { exact } from '../trading/price.js';
import type { DeskData, DeskParts } from './desk-parts.js';
import { graph } from './graph.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';

type Waiting = DeskData['transferWithdrawals']['nodes'][number];

/** The withdrawals that wait for approvals. Nobody approves twice, or what a credential of their own issue requested: not even an administrator. */
export function Withdrawals(props: DeskParts & { readonly rows: readonly Waiting[] }) {
  const { rows, mayAct, onDone } = props;
  const { desk: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="withdrawals"
      title={text.withdrawals}
      rows={rows}
      empty={text.noWithdrawals}
      columns={[
        { label: text.time, kind: 'nowrap', cell: ({ withdrawal }) => moment(withdrawal.createdAt) },
        {
          label: words.amount,
          kind: 'number',
          cell: ({ withdrawal: { amount, asset }, valueBrl }) =>
            noted(
              <>
                {exact(amount)} {asset}
              </>,
              money(valueBrl),
            ),
        },
        { label: words.company, kind: 'nowrap', cell: ({ background: { companyName } }) => companyName },
        {
          label: text.to,
          kind: 'wide',
          cell: ({ withdrawal: { address, network }, beneficiaryName, background: { earlier } }) => (
            <>
              {noted(<code>{address}</code>, `${network} ${beneficiaryName ?? ''}`)}{' '}
              {earlier === 0 ? <Badge tone="warn">{text.firstTime}</Badge> : null}
            </>
          ),
        },
        {
          label: text.approvals,
          kind: 'nowrap',
          cell: ({ approvals, approvalsNeeded }) => `${decimal(approvals)} / ${decimal(approvalsNeeded)}`,
        },
        {
          label: words.acts,
          kind: 'wide',
          cell: (row) => (mayAct ? <WithdrawalActs row={row} onDone={onDone} /> : null),
        },
      ]}
    />
  );
}

function WithdrawalActs(props: Pick<DeskParts, 'onDone'> & { readonly row: Waiting }) {
  const { row, onDone } = props;
  const { id, approvalBar: bar } = row;
  const { desk: text, exceptions } = operatorTexts.get();
  return (
    <span className="row">
      {bar === null ? (
        <DialogButton kind="main" label={`${text.approve} ${id}`} act={text.approve}>
          {(ending) => <Approve listed={row} onSaid={onDone} {...ending} />}
        </DialogButton>
      ) : (
        <span className="small muted">{exceptions.approvalBars[bar]}</span>
      )}
      <ReasonButton
        label={`${text.reject} ${id}`}
        act={text.reject}
        title={text.reject}
        text={text.rejectText}
        run={(reason) => graph.mutate('rejectWithdrawal', { id, reason })}
        onDone={() => onDone(text.rejected)}
      />
    </span>
  );
}

const waitingIn = ({ transferWithdrawals: { nodes } }: DeskData, id: string) => nodes.find((one) => one.id === id);

/** Repeats what leaves before a final approval. Another operator may have approved it: it is read again, also before the act. */
function Approve(props: Ending & { readonly listed: Waiting; readonly onSaid: (said: string) => void }) {
  const { listed, onSaid, ...ending } = props;
  const { data, reload } = useQuery(graph, 'desk', {});
  const found = data && waitingIn(data, listed.id);
  const row = found ?? listed;
  const { id, companyId, valueBrl, beneficiaryName, beneficiaryTaxId, approvals, approvalsNeeded } = row;
  const { amount, asset, address, network } = row.withdrawal;
  const { companyName, profileName, earlier, withdrawn, limit } = row.background;
  const { desk: text, words } = operatorTexts.get();
  const waits = data === undefined || found !== undefined;
  const approve = async () => {
    const now = waitingIn(await graph.query('desk', {}), id);
    if (now?.approvals !== approvals) {
      reload();
      const said = now === undefined ? text.waitsNoMore : text.changed;
      throw new FailureError({ ...noResponse, code: 'CONFLICT', said });
    }
    const { approveWithdrawal: after } = await graph.mutate('approveWithdrawal', { id });
    onSaid(after !== null && after.approvals < after.approvalsNeeded ? text.oneMore : text.sent);
  };
  return (
    <ActDialog
      title={text.approveTitle}
      act={text.approve}
      text={waits ? (approvals + 1 < approvalsNeeded ? text.oneMore : text.isLast) : text.waitsNoMore}
      run={approve}
      {...ending}
    >
      <Facts
        items={[
          [words.amount, `${exact(amount)} ${asset} (${money(valueBrl)})`],
          [text.to, `${address} (${network})`],
          [text.beneficiary, [beneficiaryName, beneficiaryTaxId].filter((one) => one !== null).join(', ') || null],
          [
            text.history,
            <Badge key={id} tone={earlier === 0 ? 'warn' : 'plain'}>
              {earlier === 0 ? text.firstTime : text.nthTime(decimal(earlier + 1))}
            </Badge>,
          ],
          [
            words.company,
            <Link key={companyId} to="/operacao/empresas/$id" params={{ id: companyId }}>
              {companyName}
            </Link>,
          ],
          [words.wallet, profileName ?? words.ownWallet],
          [
            text.withdrawn,
            `${exact(withdrawn)} ${asset}${limit === null ? ` (${words.noLimit})` : ` / ${exact(limit)} ${asset}`}`,
          ],
          [text.approvals, `${decimal(approvals)} / ${decimal(approvalsNeeded)}`],
        ]}
      />
    </ActDialog>
  );
}
