// Hindi.
import type { Locale } from '../locale'

export const hi: Locale = {
  footer: {
    text: 'आपको यह ईमेल इसलिए मिला है क्योंकि आपने {projectName} से ईमेल प्राप्त करने की सहमति दी थी।',
    link: 'सदस्यता समाप्त करें',
  },
}
