import type { ReactNode } from 'react';
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components';
import './form.css';

export function Switch({ children, ...rest }: Omit<AriaSwitchProps, 'className'> & { children: ReactNode }) {
  return (
    <AriaSwitch {...rest} className="switch">
      <span className="switch-track" aria-hidden="true">
        <span className="switch-thumb" />
      </span>
      {children}
    </AriaSwitch>
  );
}
