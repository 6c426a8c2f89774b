import { LoaderCircle } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import './button.css';
import { Tip } from '../overlays/tip.tsx';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  ref?: Ref<HTMLButtonElement>;
  /** Use one primary button per page. */
  kind?: 'plain' | 'primary' | 'ghost' | 'danger' | 'link';
  small?: boolean;
  wide?: boolean;
  /** Why the button is disabled, shown on hover and focus. */
  reason?: string | null | undefined;
  children: ReactNode;
}

export function Button({ kind = 'plain', small, wide, reason, isPending, children, ...rest }: ButtonProps) {
  const { onPress: _onPress, ...still } = rest;
  const button = (
    <AriaButton
      // A pending button keeps focus and does nothing. React Aria's `isPending` would leave an announcement that refers to a button which
      // may be gone.
      {...(isPending ? { ...still, type: 'button', 'aria-disabled': true } : rest)}
      isDisabled={rest.isDisabled || Boolean(reason)}
      className={['button', kind, small && 'small', wide && 'wide', isPending && 'pending']
        .filter(Boolean)
        .join(' ')}
    >
      {isPending && <LoaderCircle size={14} className="turning" aria-hidden />}
      {children}
      {isPending && <span className="unseen">, in progress</span>}
    </AriaButton>
  );
  return reason ? <Tip text={reason}>{button}</Tip> : button;
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'aria-label'> {
  label: string;
  large?: boolean;
  children: ReactNode;
}

/** An icon button, which always has an accessible name. */
export function IconButton({ label, large, children, ...rest }: IconButtonProps) {
  return (
    <AriaButton {...rest} aria-label={label} className={large ? 'icon-button large' : 'icon-button'}>
      {children}
    </AriaButton>
  );
}
