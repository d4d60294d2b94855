// Passwords of ten characters and more that many people choose: they are tried first. In lower case.
const LISTED = `
  1234567890 12345678910 123456789a 123456789q 1234567891 0123456789 9876543210 0987654321 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc
  qwertyuiop qwerty1234 qwerty12345 qwerty123456 qwertzuiop asdfghjkl1 asdfghjklö zxcvbnm123 zaq12wsxcde qazwsxedcrfv q1w2e3r4t5
  q1w2e3r4t5y6 abcdefghij abcdefghijk abc1234567 abcd123456 abcde12345 a123456789 aa12345678 password12 password123 password1234
  password12345 password123! password!23 password1! p@ssw0rd123 p@ssword123 passw0rd123 passw0rd1234 passwordpassword mypassword1
  mypassword123 changeme12 changeme123 changeme1234 changethis letmein123 letmein1234 welcome123 welcome1234 welcome2024 welcome2025
  welcome2026 iloveyou12 iloveyou123 iloveyou1234 administrator administrator1 admin12345 admin123456 adminadmin adminadmin1
  administrador sunshine123 princess123 football123 baseball123 basketball superman123 batman1234 dragon1234 monkey1234 master1234
  michael123 jennifer123 computer123 internet12 internet123 samsung123 liverpool1 liverpool123 manchester chocolate1 butterfly1
  starwars123 trustno1234 whatever123 hello12345 hello123456 helloworld hello world helloworld1 test123456 testtest12 testtesttest
  testing123 testing1234 secret1234 secret12345 supersecret topsecret1 correcthorsebatterystaple summer2024 summer2025 summer2026
  winter2024 winter2025 winter2026 spring2025 spring2026 autumn2025 autumn2026 january2026 company123 posthorn12 posthorn123
  posthorn1234 passwort12 passwort123 passwort1234 hallo12345 hallo123456 sommer2025 sommer2026 schatz1234 geheim1234 ichliebedich
  qwerty!@#$ !@#$%^&*() 1234qwerasdf asdf1234qwer qwer1234asdf 11111aaaaa aaaaa11111 1111122222 1122334455 1212121212 1231231234
  123123123123 123321123321 1234512345 12345qwert 147258369a 1472583690 159753456852 789456123a 7894561230 00112233445 loveyou123
`;

export const COMMON: ReadonlySet<string> = new Set(LISTED.split(/\s+/).filter((word) => word !== ""));
