// Welsh.
import type { Locale } from '../locale'

export const cy: Locale = {
  footer: {
    text: 'Rydych wedi derbyn yr e-bost hwn oherwydd i chi gytuno i dderbyn e-byst gan {projectName}.',
    link: 'Dad-danysgrifio',
  },
}
