import type { RefObject } from 'react';
import { Menu as AriaMenu, MenuItem } from 'react-aria-components';
import { Kbd } from './badge.tsx';
import { FloatingPopover } from './floating-popover.tsx';
import type { MenuProps } from './menu.tsx';

export interface MenuLayerProps extends Required<Pick<MenuProps, 'label' | 'entries' | 'placement'>> {
  triggerRef: RefObject<HTMLButtonElement | null>;
  autoFocus: 'first' | 'last';
  onClose: () => void;
}

/** The entries of an open menu. */
export function MenuLayer({ label, entries, placement, triggerRef, autoFocus, onClose }: MenuLayerProps) {
  return (
    <FloatingPopover
      isOpen
      aria-label={label}
      triggerRef={triggerRef}
      placement={placement}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <AriaMenu className="menu" aria-label={label} autoFocus={autoFocus} onClose={onClose}>
        {entries.map(({ id, label: text, icon, shortcut, danger, reason, onAction }) => (
          <MenuItem
            key={id}
            id={id}
            textValue={text}
            isDisabled={Boolean(reason)}
            // After focus is back at the button: what opens next gives it back there, and not to an entry that is gone.
            onAction={() => requestAnimationFrame(() => setTimeout(onAction))}
            className={danger ? 'menu-item danger' : 'menu-item'}
          >
            {icon}
            <span className="menu-label">
              {text}
              {reason && <small>{reason}</small>}
            </span>
            {shortcut && <Kbd>{shortcut}</Kbd>}
          </MenuItem>
        ))}
      </AriaMenu>
    </FloatingPopover>
  );
}
