"""Family names that many people have."""

from __future__ import annotations

# Before each of these stand at least seventy different given names in the lists of authors of 170,000 papers on arXiv.
# fmt: off
COMMON = frozenset({
    "agarwal", "agrawal", "ahmad", "ahmed", "ahn", "ai", "ali", "an", "anand", "anderson", "arora", "bae",
    "baek", "bai", "banerjee", "bao", "bhattacharya", "bi", "bian", "biswas", "brown", "bu", "cai", "cao",
    "chai", "chakraborty", "chan", "chang", "chatterjee", "che", "chen", "cheng", "cheung", "chi", "cho",
    "choi", "chowdhury", "chu", "chung", "clark", "cohen", "costa", "cui", "dai", "dang", "das", "davis",
    "deng", "desai", "dey", "ding", "do", "dong", "dou", "du", "duan", "dutta", "fan", "fang", "fei", "feng",
    "fernandez", "fischer", "fu", "gan", "gao", "garcia", "garg", "ge", "geng", "ghosh", "gomez", "gong",
    "gonzalez", "goyal", "gu", "guan", "gui", "guo", "gupta", "han", "hao", "hasan", "hassan", "he",
    "hernandez", "ho", "hong", "hossain", "hou", "hsu", "hu", "hua", "huang", "huo", "hussain", "hwang",
    "islam", "jain", "jang", "jeon", "jeong", "jha", "ji", "jia", "jiang", "jiao", "jin", "jing", "jo",
    "johnson", "jones", "joshi", "ju", "jung", "kang", "ke", "khan", "kim", "klein", "ko", "kong", "kuang",
    "kulkarni", "kumar", "kwon", "lai", "lam", "lan", "lang", "le", "lee", "lei", "lewis", "li", "lian",
    "liang", "liao", "lim", "lin", "ling", "liu", "long", "lopez", "lou", "lu", "luo", "lv", "lyu", "ma",
    "mai", "mandal", "mao", "martin", "martinez", "mehta", "mei", "meng", "meyer", "miao", "miller", "min",
    "mishra", "mitra", "mo", "moon", "mu", "mukherjee", "muller", "nair", "nam", "nayak", "ng", "nguyen",
    "ni", "nie", "ning", "niu", "oh", "oliveira", "ou", "ouyang", "pal", "pan", "pandey", "pang", "park",
    "patel", "patil", "paul", "pei", "peng", "pereira", "perez", "pham", "pu", "qi", "qian", "qiao", "qin",
    "qiu", "qu", "rahman", "raj", "rao", "ray", "reddy", "ren", "rodriguez", "rong", "roy", "ruan", "saha",
    "sanchez", "santos", "sarkar", "sato", "schmidt", "schneider", "sen", "seo", "shah", "shan", "shang",
    "shao", "sharma", "shen", "sheng", "shi", "shin", "shu", "shukla", "si", "silva", "simon", "singh",
    "sinha", "smith", "son", "song", "srinivasan", "srivastava", "su", "sun", "suzuki", "takahashi", "tan",
    "tanaka", "tang", "tao", "taylor", "teng", "thomas", "thompson", "tian", "tiwari", "tong", "tran",
    "tsai", "tu", "verma", "vu", "wagner", "walker", "wan", "wang", "weber", "wei", "wen", "weng", "white",
    "williams", "wilson", "wong", "wu", "xi", "xia", "xiang", "xiao", "xie", "xin", "xing", "xiong", "xu",
    "xue", "yadav", "yan", "yang", "yao", "ye", "yi", "yin", "ying", "yoo", "yoon", "you", "young", "yu",
    "yuan", "yue", "yun", "zeng", "zhai", "zhan", "zhang", "zhao", "zheng", "zhong", "zhou", "zhu", "zhuang",
    "zou", "zuo",
})
# fmt: on
