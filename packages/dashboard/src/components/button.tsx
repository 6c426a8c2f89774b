import { LoaderCircle } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import './button.css';
import { Tip } from './tip.tsx';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  ref?: Ref<HTMLButtonElement>;
  /** One primary button a page. */
  kind?: 'plain' | 'primary' | 'ghost' | 'danger' | 'link';
  small?: boolean;
  wide?: boolean;
  /** Why it cannot be used now; shown on hover and focus, and the button is disabled. */
  reason?: string | null | undefined;
  children: ReactNode;
}

export function Button({ kind = 'plain', small, wide, reason, isPending, children, ...rest }: ButtonProps) {
  const { onPress: _onPress, ...still } = rest;
  const button = (
    <AriaButton
      // At work it keeps focus and does nothing. React Aria's own `isPending` would leave words in the page that name a button
      // which may be gone by then.
      {...(isPending ? { ...still, type: 'button', 'aria-disabled': true } : rest)}
      isDisabled={rest.isDisabled || Boolean(reason)}
      className={['button', kind, small && 'small', wide && 'wide', isPending && 'pending']
        .filter(Boolean)
        .join(' ')}
    >
      {isPending && <LoaderCircle size={14} className="turning" aria-hidden />}
      {children}
      {isPending && <span className="unseen">, working</span>}
    </AriaButton>
  );
  return reason ? <Tip text={reason}>{button}</Tip> : button;
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'aria-label'> {
  label: string;
  large?: boolean;
  children: ReactNode;
}

/** A picture alone says too little: it always has a name. */
export function IconButton({ label, large, children, ...rest }: IconButtonProps) {
  return (
    <AriaButton {...rest} aria-label={label} className={large ? 'icon-button large' : 'icon-button'}>
      {children}
    </AriaButton>
  );
}
