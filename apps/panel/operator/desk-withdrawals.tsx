import { Link } from '@tanstack/react-router';
import { Badge, type Column, Facts, noted, Section } from '../../design/basics.js';
import { ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { FailureError, noResponse } from '../frame/failure.js';
import { decimal, moment, money } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { useQuery } from '../frame/use-graph.js';
import { exact } from '../trading/price.js';
import type { CompanyPart } from './company-fields.js';
import { ResolveWithdrawal } from './desk-custody.js';
import { type DeskData, type DeskParts, type DeskWithdrawal, networkName } from './desk-parts.js';
import { graph } from './graph/operations.js';
import { ReasonButton } from './reason-button.js';
import { operatorTexts } from '../texts.js';

type ListParts = Pick<DeskParts, 'mayAct' | 'onDone'>;

/** Returns the columns of a list of withdrawals. Nobody approves twice, or what a credential of their own issue requested: not even an administrator. */
export function withdrawalColumns({ mayAct, onDone }: ListParts): readonly Column<DeskWithdrawal>[] {
  const { desk: text, words } = operatorTexts.get();
  return [
    { label: text.time, kind: 'nowrap', cell: ({ withdrawal }) => moment(withdrawal.createdAt) },
    {
      label: words.amount,
      kind: 'number',
      cell: ({ withdrawal: { amount, asset }, valueBrl }) => noted(`${exact(amount)} ${asset}`, money(valueBrl)),
    },
    {
      label: words.company,
      kind: 'nowrap',
      cell: ({ background: { companyName, profileName } }) => noted(companyName, profileName),
    },
    {
      label: text.to,
      kind: 'wide',
      cell: ({ withdrawal: { address, network, transaction }, beneficiaryName, background: { earlier } }) => (
        <>
          {noted(<code>{address}</code>, [networkName(network), beneficiaryName, transaction].join(' '))}{' '}
          {earlier === 0 ? <Badge tone="warn">{text.firstTime}</Badge> : null}
        </>
      ),
    },
    { label: words.status, kind: 'wide', cell: (row) => <State row={row} /> },
    {
      label: words.acts,
      kind: 'wide',
      cell: (row) => (mayAct ? <WithdrawalActs row={row} onDone={onDone} /> : null),
    },
  ];
}

function State({ row }: { readonly row: DeskWithdrawal }) {
  const { state, synthetic, approvals, approvalsNeeded, waitsFor, returnReports, withdrawal } = row;
  const { exceptions: text } = operatorTexts.get();
  const isStuck = state === 'QUARANTINED' || state === 'UNCONFIRMED';
  const notes = [
    ...(state === 'AWAITING_APPROVAL' || (state === 'READY' && approvalsNeeded > 0)
      ? [text.approvalsOf(decimal(approvals), decimal(approvalsNeeded))]
      : []),
    ...(waitsFor === null ? [] : [text.waits[waitsFor]]),
    ...(returnReports > 0 && state === 'COMPLETED' ? [text.saidReturned(decimal(returnReports))] : []),
  ];
  return (
    <>
      {noted(
        <Badge tone={isStuck ? 'bad' : waitsFor === null ? 'plain' : 'warn'}>{text.withdrawalStates[state]}</Badge>,
        notes.join(' · ') || withdrawal.failure,
      )}
      {synthetic ? <Badge>{text.synthetic}</Badge> : null}
    </>
  );
}

function WithdrawalActs({ row, onDone }: Pick<DeskParts, 'onDone'> & { readonly row: DeskWithdrawal }) {
  const { id, state, approvalBar: bar } = row;
  const { desk: text, exceptions } = operatorTexts.get();
  if (state === 'QUARANTINED' || state === 'UNCONFIRMED' || state === 'COMPLETED')
    return <ResolveWithdrawal row={row} onDone={onDone} />;
  if (state !== 'AWAITING_APPROVAL' && state !== 'READY') return null;
  return (
    <span className="row">
      {state === 'READY' ? null : bar === null ? (
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

export function WithdrawalsOf({ company: { id }, mayAct, onDone }: CompanyPart) {
  const { exceptions: text, words } = operatorTexts.get();
  const pages = usePages(graph, 'companyWithdrawals', { id }, (data) => data.transferWithdrawals);
  const parts = {
    mayAct,
    onDone: (said = '') => {
      pages.reload();
      onDone(said);
    },
  };
  return (
    <Section id="requested" title={words.withdrawals}>
      <PagedTable
        pages={pages}
        caption={words.withdrawals}
        empty={text.noneRequested}
        columns={withdrawalColumns(parts)}
      />
    </Section>
  );
}

const waitingIn = ({ transferWithdrawals: { nodes } }: DeskData, id: string) => nodes.find((one) => one.id === id);

/** Repeats what leaves before a final approval. Another operator may have approved it: it is read again, also before the act. */
function Approve(props: Ending & { readonly listed: DeskWithdrawal; readonly onSaid: (said: string) => void }) {
  const { listed, onSaid, ...ending } = props;
  const { data, reload } = useQuery(graph, 'desk', {});
  const found = data && waitingIn(data, listed.id);
  const row = found ?? listed;
  const { id, companyId, valueBrl, beneficiaryName, beneficiaryTaxId, approvals, approvalsNeeded } = row;
  const { amount, asset, address, network } = row.withdrawal;
  const { companyName, profileName, earlier, withdrawn, limit } = row.background;
  const { desk: text, exceptions, words } = operatorTexts.get();
  const waits = data === undefined || found !== undefined;
  const approve = async () => {
    const now = waitingIn(await graph.query('desk', {}), id);
    if (now?.approvals !== approvals) {
      reload();
      const said = now === undefined ? text.waitsNoMore : text.changed;
      throw new FailureError({ ...noResponse, code: 'CONFLICT', said });
    }
    const { approveWithdrawal: after } = await graph.mutate('approveWithdrawal', { id });
    if (after !== null && after.approvals < after.approvalsNeeded) onSaid(text.lacksOne);
    else onSaid(row.waitsFor === null ? text.sent : text.approvedWaits(exceptions.waits[row.waitsFor]));
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
          [text.to, `${address} (${networkName(network)})`],
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
          ...(row.waitsFor === null ? [] : [[words.status, exceptions.waits[row.waitsFor]] as const]),
        ]}
      />
    </ActDialog>
  );
}
