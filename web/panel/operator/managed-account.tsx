import { useState } from 'react';
import { Badge, Facts, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { decimal, moment } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import { useAction, type Action } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { LimitDialog } from './limit-dialog.js';
import { ManagedKeys, type ManagedKey } from './managed-keys.js';
import { ReasonDialog } from './reason-dialog.js';
import { operatorTexts } from './texts.js';

type Account = Operations['managedAccounts']['data']['managedAccounts'][number];

/** An account with its state, its keys, and what an operator can do to it. */
export function ManagedAccount(props: { readonly account: Account; readonly onDone: (said: string) => void }) {
  const { account, onDone } = props;
  const { id, email, keys } = account;
  const { accounts: text } = operatorTexts.get();
  const action = useAction();
  const [isAsked, setAsked] = useState(false);
  const [limited, setLimited] = useState<ManagedKey>();
  return (
    <Section
      id={`account-${id}`}
      title={email}
      links={
        <Acts
          {...{ account, action, onDone }}
          onDisable={() => {
            setAsked(true);
          }}
        />
      }
    >
      <FailureNotice failure={action.failure} />
      <State account={account} />
      <ManagedKeys keys={keys} onLimit={setLimited} />
      {limited === undefined ? null : (
        <LimitDialog
          limitedKey={limited}
          onClose={() => {
            setLimited(undefined);
          }}
          onDone={(said) => {
            setLimited(undefined);
            onDone(said);
          }}
        />
      )}
      {isAsked ? (
        <ReasonDialog
          title={text.disableTitle(email)}
          act={text.disable}
          onClose={() => {
            setAsked(false);
          }}
          run={(reason) => graph.mutate('disableAccount', { id, reason })}
          onDone={() => {
            setAsked(false);
            onDone(text.disabled(email));
          }}
        >
          <p>{text.disableText}</p>
        </ReasonDialog>
      ) : null}
    </Section>
  );
}

function Acts(props: {
  readonly account: Account;
  readonly action: Action;
  readonly onDone: (said: string) => void;
  readonly onDisable: () => void;
}) {
  const { account, action, onDone, onDisable } = props;
  const { id, email, disabledAt } = account;
  const { accounts: text } = operatorTexts.get();
  const endSessions = async () => {
    const { endAccountSessions } = await graph.mutate('endAccountSessions', { id });
    onDone(text.sessionsEnded(email, decimal(endAccountSessions ?? 0)));
  };
  const enable = async () => {
    await graph.mutate('enableAccount', { id });
    onDone(text.enabled(email));
  };
  return (
    <div className="row">
      <Button isBusy={action.isBusy} onPress={() => void action.run(endSessions)}>
        {text.endSessions}
      </Button>
      {disabledAt === null ? (
        <Button kind="danger" onPress={onDisable}>
          {text.disable}
        </Button>
      ) : (
        <Button isBusy={action.isBusy} onPress={() => void action.run(enable)}>
          {text.enable}
        </Button>
      )}
    </div>
  );
}

function State({ account }: { readonly account: Account }) {
  const { accounts: text } = operatorTexts.get();
  const { id, ownerType, createdAt, confirmedAt, disabledAt, disabledReason } = account;
  const [tone, state] =
    disabledAt !== null
      ? (['bad', text.states.disabled] as const)
      : confirmedAt === null
        ? (['warn', text.states.unconfirmed] as const)
        : (['good', text.states.active] as const);
  return (
    <Facts
      items={[
        [
          text.state,
          <Badge key="state" tone={tone}>
            {state}
          </Badge>,
        ],
        ...(disabledAt === null
          ? []
          : [[text.disabledSince, moment(disabledAt)] as const, [text.disabledReason, disabledReason] as const]),
        [text.origin, text.origins[ownerType]],
        [text.created, moment(createdAt)],
        ['Id', <code key="id">{id}</code>],
      ]}
    />
  );
}
