import { Popover, type PopoverProps } from 'react-aria-components';
import './overlay.css';

/** What floats over the page beside what opened it. */
export function FloatingPopover({ children, ...rest }: Omit<PopoverProps, 'className'>) {
  return (
    <Popover {...rest} className="popover" offset={6}>
      {children}
    </Popover>
  );
}
