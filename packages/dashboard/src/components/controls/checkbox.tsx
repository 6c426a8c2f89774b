import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components';
import './form.css';

export type CheckboxProps = Omit<AriaCheckboxProps, 'className' | 'children'> & { children?: ReactNode };

export function Checkbox({ children, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox {...rest} className="checkbox">
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className="tick" aria-hidden="true">
            {isIndeterminate ? <Minus size={13} /> : isSelected && <Check size={13} strokeWidth={3} />}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}
