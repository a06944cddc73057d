// Czech.
import type { Locale } from '../locale'

export const cs: Locale = {
  footer: {
    text: 'Tento e-mail jste obdrželi, protože jste souhlasili se zasíláním e-mailů od {projectName}.',
    link: 'Odhlásit odběr',
  },
}
