// Chinese (Taiwan).
import type { Locale } from '../locale'

export const zhTW: Locale = {
  footer: {
    text: '您收到這封電子郵件，是因為您同意接收來自 {projectName} 的電子郵件。',
    link: '取消訂閱',
  },
}
