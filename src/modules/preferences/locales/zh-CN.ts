// Chinese (mainland).
import type { Locale } from '../locale'

export const zhCN: Locale = {
  footer: {
    text: '您收到这封电子邮件，是因为您同意接收来自 {projectName} 的电子邮件。',
    link: '退订',
  },
}
