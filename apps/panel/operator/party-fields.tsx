import type { ReactNode } from 'react';
import { TextInput } from '../../design/controls/controls.js';
import { countOf, NumberInput } from '../frame/number-input.js';
import { textOf } from '../frame/parts.js';

interface Party {
  readonly name: string;
  readonly rateLimit: number | null;
  readonly accountId: string | null;
}

/** Fields that the forms of companies and originators share: name, rate limit and account. */
export function PartyFields(props: {
  readonly of?: Party;
  readonly text: Readonly<Record<'name' | 'rateLimit' | 'rateLimitHint' | 'account', string>>;
  readonly accountHint: string;
  readonly children?: ReactNode;
}) {
  const { of, text, accountHint, children } = props;
  const account = { name: 'accountId', label: text.account, hint: accountHint, autoComplete: 'off', maxLength: 100 };
  return (
    <>
      <TextInput
        name="name"
        label={text.name}
        defaultValue={of?.name ?? ''}
        maxLength={200}
        autoComplete="off"
        isRequired
        autoFocus={of === undefined}
      />
      {children}
      <NumberInput
        name="rateLimit"
        label={text.rateLimit}
        hint={text.rateLimitHint}
        defaultValue={of?.rateLimit ?? null}
        isWhole
      />
      <TextInput {...account} defaultValue={of?.accountId ?? ''} />
    </>
  );
}

export function partyOf(values: FormData): Party {
  return {
    name: textOf(values, 'name').trim(),
    rateLimit: countOf(values, 'rateLimit'),
    accountId: textOf(values, 'accountId').trim() || null,
  };
}

/** Returns which of them were changed, and nothing else: another operator may change the rest meanwhile. */
export function changedParty(before: Party, values: FormData): Partial<Party> {
  const { name, rateLimit, accountId } = partyOf(values);
  return {
    ...(name === before.name ? {} : { name }),
    ...(rateLimit === before.rateLimit ? {} : { rateLimit }),
    ...(accountId === before.accountId ? {} : { accountId }),
  };
}
