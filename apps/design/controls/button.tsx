import { Button as AriaButton, type PressEvent } from 'react-aria-components';
import type { ReactNode } from 'react';

export interface ButtonProps {
  readonly children: ReactNode;
  /** Main acts are filled, others plain; acts that cannot be undone are red. */
  readonly kind?: 'main' | 'plain' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** What it does, where its text does not say enough: `Revoke Production`. */
  readonly label?: string;
  readonly expands?: boolean;
  readonly autoFocus?: boolean;
  readonly onPress?: (event: PressEvent) => void;
}

/** A button. While it is busy it cannot be pressed again, and keeps the focus. */
export function Button(props: ButtonProps) {
  const {
    children,
    kind = 'plain',
    type = 'button',
    isBusy = false,
    isDisabled = false,
    label,
    expands,
    onPress,
    ...rest
  } = props;
  return (
    <AriaButton
      className={isBusy ? `button ${kind} busy` : `button ${kind}`}
      type={type}
      {...(isBusy ? { 'aria-disabled': true } : {})}
      {...(onPress === undefined || isBusy ? {} : { onPress })}
      isDisabled={isDisabled}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(expands === undefined ? {} : { 'aria-expanded': expands })}
      {...rest}
    >
      {children}
    </AriaButton>
  );
}
